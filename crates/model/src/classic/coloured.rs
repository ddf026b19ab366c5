//! Classic models as symmetric nets: text in `.sn`, which does not grow with the size.
//!
//! Each has the states of its flat shape. What is a place per part there is a colour here, so that the classes say what may
//! take each other's place.

use super::{Besides, Classic, Shape, orbits, states, write_opening};
use std::io::{self, Write};

/// Beyond these sizes states are not counted: the formulas are sums.
const COUNTED: u64 = 300;

/// Writes a model as a coloured net.
pub(super) fn write(classic: Classic, n: u64, besides: Besides, out: &mut dyn Write) -> io::Result<()> {
    let counted = n <= COUNTED;
    let (title, constants, body) = match classic {
        Classic::Philosophers => (&PHILOSOPHERS_TITLE[..], format!("$N = {n};"), PHILOSOPHERS),
        Classic::ContestPhilosophers => (&CONTEST_TITLE[..], format!("$N = {n};"), CONTEST),
        Classic::ClientServer => {
            let servers = besides.servers();
            (&CLIENT_SERVER_TITLE[..], format!("$C = {n};\n$S = {servers};"), CLIENT_SERVER)
        }
        Classic::SaleStore => {
            let gifts = besides.gifts();
            (&SALE_STORE_TITLE[..], format!("$P = {n};\n$G = {gifts};"), SALE_STORE)
        }
        Classic::Peterson => (&PETERSON_TITLE[..], format!("$N = {n};\n$L = $N - 1;"), PETERSON),
        Classic::TokenRing => (&TOKEN_RING_TITLE[..], format!("$N = {n};"), TOKEN_RING),
        Classic::Database => (&DATABASE_TITLE[..], format!("$N = {n};"), DATABASE),
        // These count what cannot be told apart, and have no colours.
        Classic::Kanban | Classic::SlottedRing | Classic::Fms => return Ok(()),
    };
    let size = match classic {
        Classic::ClientServer => format!("{n} --servers {}", besides.servers()),
        Classic::SaleStore => format!("{n} --gifts {}", besides.gifts()),
        _ => n.to_string(),
    };
    let count = match classic {
        _ if !counted => None,
        Classic::Philosophers => Some(states::philosophers(n)),
        Classic::ContestPhilosophers => Some(states::contest_philosophers(n)),
        Classic::ClientServer => Some(states::client_server(n, besides.servers())),
        Classic::SaleStore if besides.gifts() > COUNTED => None,
        Classic::SaleStore => Some(states::sale_store(n, besides.gifts())),
        Classic::Peterson => Some(states::peterson(n)),
        Classic::TokenRing => Some(states::token_ring(n)),
        _ => Some(states::database(n)),
    };
    let folded = match classic {
        _ if !counted => None,
        Classic::ClientServer => {
            orbits::sentence(orbits::client_server(n, besides.servers()), "clients and servers are not told apart")
        }
        Classic::SaleStore if besides.gifts() > COUNTED => None,
        Classic::SaleStore => {
            orbits::sentence(orbits::sale_store(n, besides.gifts()), "people and gifts are not told apart")
        }
        Classic::Peterson => orbits::sentence(orbits::peterson(n), "processes are not told apart"),
        Classic::Database => orbits::sentence(orbits::database(n), "sites are not told apart"),
        _ => None,
    };
    let numbers: Vec<String> = count.map(|count| count.sentence()).into_iter().chain(folded).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    write_opening(out, title, (classic, &size, Shape::Coloured), &numbers)?;
    writeln!(out, "{constants}\n")?;
    out.write_all(body.as_bytes())
}

const PHILOSOPHERS_TITLE: [&str; 2] = [
    "Dining philosophers. Each is idle, then waits for the fork to his left and for the one to his right, takes them in",
    "any order, and eats, which puts both back.",
];

const PHILOSOPHERS: &str = "net Philosophers {
    class Seat circular = 1..$N;

    place idle : Seat = <all>;
    place waitLeft : Seat;
    place waitRight : Seat;
    place hasLeft : Seat;
    place hasRight : Seat;
    place fork : Seat = <all>;

    transition hungry (Seat x) { take idle<x>; put waitLeft<x>; put waitRight<x>; }
    transition takeRight (Seat x) { take fork<x>; take waitRight<x>; put hasRight<x>; }
    transition takeLeft (Seat x) { take fork<x-->; take waitLeft<x>; put hasLeft<x>; }
    transition eat (Seat x) { take hasLeft<x>; take hasRight<x>; put idle<x>; put fork<x> + <x-->; }
}
";

const CONTEST_TITLE: [&str; 2] = [
    "The dining philosophers of the Model Checking Contest. Each thinks, takes the fork to his left and the one to his",
    "right in any order, and eats until the end.",
];

const CONTEST: &str = "net Philosophers {
    class Seat circular = 1..$N;

    place Think : Seat = <all>;
    place Catch1 : Seat;
    place Catch2 : Seat;
    place Eat : Seat;
    place Fork : Seat = <all>;

    transition FF1a (Seat x) { take Think<x>; take Fork<x-->; put Catch1<x>; }
    transition FF1b (Seat x) { take Think<x>; take Fork<x>; put Catch2<x>; }
    transition FF2a (Seat x) { take Catch1<x>; take Fork<x>; put Eat<x>; }
    transition FF2b (Seat x) { take Catch2<x>; take Fork<x-->; put Eat<x>; }
    transition End (Seat x) { take Eat<x>; put Think<x>; put Fork<x> + <x-->; }
}
";

const CLIENT_SERVER_TITLE: [&str; 3] = [
    "Clients and servers. A client sends a request to any server and waits; a free server takes a request, is busy with",
    "it, and answers, which makes it free again; the client takes the answer and is idle again.",
    "Of who answered nothing is remembered.",
];

const CLIENT_SERVER: &str = "net ClientServer {
    class Client = c{1..$C};
    class Server = s{1..$S};

    place idle : Client = <all>;
    place request : Client * Server;
    place served : Client * Server;
    place answer : Client;
    place free : Server = <all>;

    transition send (Client c, Server s) { take idle<c>; put request<c, s>; }
    transition begin (Client c, Server s) { take request<c, s>; take free<s>; put served<c, s>; }
    transition reply (Client c, Server s) { take served<c, s>; put free<s>; put answer<c>; }
    transition receive (Client c) { take answer<c>; put idle<c>; }
}
";

const SALE_STORE_TITLE: [&str; 2] = [
    "A sale store. People wait, enter through an airlock, one or two at a time, and leave with no gift, one or two, which",
    "are theirs and no longer in the warehouse.",
];

const SALE_STORE: &str = "net SaleStore {
    class People = person{1..$P};
    class Gift = gift{1..$G};

    place waiting : People = <all>;
    place inside : People;
    place warehouse : Gift = <all>;
    place out : People * bag Gift;

    transition airlock (unique bag People B) [card(B) >= 1 && card(B) <= 2] { take waiting<B>; put inside<B>; }
    transition shopping (People x, bag Gift B) [card(B) <= 2] { take inside<x>; take warehouse<B>; put out<x, B>; }
}
";

const PETERSON_TITLE: [&str; 3] = [
    "Peterson's mutual exclusion for $N processes. There is one level less before the critical section. Of those at a",
    "level, all may go on who have been passed by one that came later; the last must wait until all others are below.",
    "The place below counts the processes below each level.",
];

const PETERSON: &str = "net Peterson {
    class Process = p{1..$N};
    class Level linear = 1..$L;

    place idle : Process = <all>;
    place last : Process * Level;
    place passed : Process * Level;
    place critical : Process;
    place free : Level = <all>;
    place below : Level = $N<all>;

    transition request (Process p) { take idle<p>; take free<1>; take below<1>; put last<p, 1>; }
    transition requestAfter (Process p, Process q) [p != q] {
        take idle<p>; take last<q, 1>; take below<1>; put last<p, 1>; put passed<q, 1>;
    }
    transition follow (Process p, Level l) { take passed<p, l>; take free<l++>; take below<l++>; put last<p, l++>; }
    transition followAfter (Process p, Process q, Level l) [p != q] {
        take passed<p, l>; take last<q, l++>; take below<l++>; put last<p, l++>; put passed<q, l++>;
    }
    transition followIn (Process p) { take passed<p, $L>; put critical<p>; }
    transition lead (Process p, Level l) {
        take last<p, l>; take free<l++>; take below $L<l> + <l++>; put below $L<l>; put free<l>; put last<p, l++>;
    }
    transition leadAfter (Process p, Process q, Level l) [p != q] {
        take last<p, l> + <q, l++>; take below $L<l> + <l++>; put below $L<l>; put free<l>; put last<p, l++>;
        put passed<q, l++>;
    }
    transition leadIn (Process p) { take last<p, $L>; read below $L<$L>; put free<$L>; put critical<p>; }
    transition leave (Process p) { take critical<p>; put idle<p>; put below<all>; }
}
";

const TOKEN_RING_TITLE: [&str; 3] = [
    "A token ring. A station is idle, wants to send, or sends; only who has the token sends, and passes it on when done.",
    "Who has it and is idle may pass it on too. At first there is none, and a station makes",
    "it.",
];

const TOKEN_RING: &str = "net TokenRing {
    class Station circular = 1..$N;

    place noToken = 1;
    place idle : Station = <all>;
    place wants : Station;
    place sending : Station;
    place token : Station;

    transition make (Station x) { take noToken; put token<x>; }
    transition ask (Station x) { take idle<x>; put wants<x>; }
    transition send (Station x) { take wants<x>; take token<x>; put sending<x>; }
    transition finish (Station x) { take sending<x>; put idle<x>; put token<x++>; }
    transition pass (Station x) { take token<x>; read idle<x>; put token<x++>; }
}
";

const DATABASE_TITLE: [&str; 3] = [
    "A distributed database: sites with copies of the same data. One site at a time changes something: it sends a message",
    "to each other site, these perform the change and acknowledge it, and when all have it is done. Messages from a site",
    "to itself are never used.",
];

const DATABASE: &str = "net Database {
    class Site = site{1..$N};

    place passive = 1;
    place active;
    place inactive : Site = <all>;
    place waiting : Site;
    place performing : Site;
    place unused : Site * Site = <all, all>;
    place sent : Site * Site;
    place received : Site * Site;
    place acknowledged : Site * Site;

    transition update (Site s) {
        take passive; put active; take inactive<s>; put waiting<s>; take unused<s, all - s>; put sent<s, all - s>;
    }
    transition receive (Site s, Site r) { take inactive<r>; take sent<s, r>; put performing<r>; put received<s, r>; }
    transition acknowledge (Site s, Site r) {
        take performing<r>; take received<s, r>; put inactive<r>; put acknowledged<s, r>;
    }
    transition done (Site s) {
        take active; put passive; take waiting<s>; put inactive<s>; take acknowledged<s, all - s>;
        put unused<s, all - s>;
    }
}
";
