//! Small files that use everything their reader knows: where mutations begin.

/// A net with pages, references, units, all kinds of arcs, and text in all its forms.
pub const NET: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE pnml [ <!ENTITY word "idle"> ]>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <!-- two clients and a server -->
  <net id="clients" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <name><text>clients &amp; server</text></name>
    <page id="all">
      <place id="idle"><graphics><position x="1" y="2"/></graphics>
        <initialMarking><text> 2 </text></initialMarking></place>
      <place id="busy"><name><text><![CDATA[<busy>]]></text></name><capacity><text>2</text></capacity></place>
      <place id="server"><initialMarking><text>&#49;</text></initialMarking></place>
      <place id="log"/>
      <transition id="begin"/>
      <transition id="end"><name><text>end</text></name></transition>
      <arc id="a1" source="idle" target="begin"/>
      <arc id="a2" source="begin" target="busy"><inscription><text>1</text></inscription></arc>
      <arc id="a3" source="server" target="begin"><type value="read"/></arc>
      <page id="inner">
        <referencePlace id="again" ref="busy"/>
        <referenceTransition id="over" ref="end"/>
        <arc id="a4" source="again" target="over"/>
        <arc id="a5" source="over" target="idle"/>
        <arc id="a6" source="log" target="over"><arctype><text>inhibitor</text></arctype>
          <inscription><text>5</text></inscription></arc>
        <arc id="a7" source="log" target="begin"><arctype>reset</arctype></arc>
      </page>
      <toolspecific tool="nupn" version="1.1">
        <size places="4" transitions="2" arcs="6"/>
        <structure units="3" root="u0" safe="false">
          <unit id="u0"><places>log</places><subunits>u1 u2</subunits></unit>
          <unit id="u1"><places>idle busy</places><subunits/></unit>
          <unit id="u2"><places>server</places><subunits></subunits></unit>
        </structure>
      </toolspecific>
    </page>
  </net>
</pnml>
"#;

/// A symmetric net with every sort, every operator, pages, references, and all kinds of arcs.
pub const SYMMETRIC: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="machines" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
    <page id="all">
      <place id="idle"><type><text>Machine</text><structure><usersort declaration="machine"/></structure></type>
        <hlinitialMarking><text>all machines</text><structure>
          <subtract><subterm><all><usersort declaration="machine"/></all></subterm>
            <subterm><useroperator declaration="m3"/></subterm></subtract>
        </structure></hlinitialMarking></place>
      <place id="busy"><type><structure><usersort declaration="work"/></structure></type>
        <hlinitialMarking><structure><add>
          <subterm><numberof><subterm><numberconstant value="2"><positive/></numberconstant></subterm><subterm><tuple>
            <subterm><useroperator declaration="m3"/></subterm>
            <subterm><finiteintrangeconstant value="1"><finiteintrange start="0" end="3"/></finiteintrangeconstant></subterm>
            <subterm><tuple><subterm><useroperator declaration="red"/></subterm>
              <subterm><booleanconstant value="true"/></subterm></tuple></subterm>
          </tuple></subterm></numberof></subterm>
          <subterm><tuple><subterm><useroperator declaration="old"/></subterm><subterm><all><usersort declaration="level"/></all>
            </subterm><subterm><all><usersort declaration="pair"/></all></subterm></tuple></subterm>
        </add></structure></hlinitialMarking></place>
      <place id="count"><type><structure><usersort declaration="dot"/></structure></type>
        <hlinitialMarking><structure><scalarproduct><subterm><numberconstant value="5"><natural/></numberconstant></subterm>
          <subterm><dotconstant/></subterm></scalarproduct></structure></hlinitialMarking></place>
      <place id="hues"><type><structure><usersort declaration="hue"/></structure></type></place>
      <transition id="begin"><condition><text>old x</text><structure><and>
        <subterm><equality><subterm><partitionelementof refpartition="ages"><subterm><variable refvariable="x"/></subterm>
          </partitionelementof></subterm><subterm><useroperator declaration="old"/></subterm></equality></subterm>
        <subterm><or><subterm><subterm><inequality><subterm><variable refvariable="h"/></subterm>
            <subterm><useroperator declaration="red"/></subterm></inequality></subterm><subterm><not><subterm>
            <lessthan><subterm><variable refvariable="n"/></subterm><subterm><successor><subterm>
            <finiteintrangeconstant value="1"><finiteintrange start="0" end="3"/></finiteintrangeconstant>
            </subterm></successor></subterm></lessthan></subterm></not></subterm></subterm></or></subterm>
        <subterm><imply><subterm><variable refvariable="b"/></subterm><subterm><gtp>
            <subterm><partitionelementof refpartition="ages"><subterm><predecessor><subterm><variable refvariable="x"/>
            </subterm></predecessor></subterm></partitionelementof></subterm>
            <subterm><partitionelementof refpartition="ages"><subterm><variable refvariable="x"/></subterm></partitionelementof>
            </subterm></gtp></subterm></imply></subterm>
        <subterm><equality><subterm><variable refvariable="p"/></subterm><subterm><tuple><subterm><variable refvariable="h"/>
            </subterm><subterm><variable refvariable="b"/></subterm></tuple></subterm></equality></subterm>
      </and></structure></condition></transition>
      <arc id="a1" source="idle" target="begin"><hlinscription><structure><numberof><subterm><variable refvariable="x"/></subterm>
        </numberof></structure></hlinscription></arc>
      <arc id="a2" source="begin" target="busy"><hlinscription><structure><tuple><subterm><variable refvariable="x"/></subterm>
        <subterm><subtract><subterm><all><usersort declaration="level"/></all></subterm><subterm><variable refvariable="n"/>
        </subterm></subtract></subterm><subterm><variable refvariable="p"/></subterm></tuple></structure></hlinscription></arc>
      <arc id="a3" source="count" target="begin"><type value="read"/></arc>
      <page id="inner">
        <referencePlace id="again" ref="hues"/>
        <arc id="a4" source="again" target="begin"><arctype><text>inhibitor</text></arctype><hlinscription><structure>
          <usersort declaration="hue"/></structure></hlinscription></arc>
        <arc id="a5" source="begin" target="again"><hlinscription><structure><empty><usersort declaration="hue"/></empty>
          </structure></hlinscription></arc>
      </page>
    </page>
    <declaration><structure><declarations>
      <namedsort id="dot" name="Dot"><dot/></namedsort>
      <namedsort id="work" name="Work"><productsort><usersort declaration="machine"/><usersort declaration="level"/>
        <usersort declaration="pair"/></productsort></namedsort>
      <namedsort id="pair" name="Pair"><productsort><usersort declaration="hue"/><bool/></productsort></namedsort>
      <namedsort id="machine" name="Machine"><cyclicenumeration><feconstant id="m1" name="1"/><feconstant id="m2" name="2"/>
        <feconstant id="m3" name="3"/></cyclicenumeration></namedsort>
      <namedsort id="hue" name="Hue"><finiteenumeration><feconstant id="red" name="red"/><feconstant id="blue" name="blue"/>
        </finiteenumeration></namedsort>
      <namedsort id="level" name="Level"><finiteintrange start="0" end="3"/></namedsort>
      <partition id="ages" name="Ages"><usersort declaration="machine"/>
        <partitionelement id="young" name="young"><useroperator declaration="m1"/></partitionelement>
        <partitionelement id="old" name="old"><useroperator declaration="m2"/><useroperator declaration="m3"/></partitionelement>
      </partition>
      <variabledecl id="x" name="x"><usersort declaration="machine"/></variabledecl>
      <variabledecl id="n" name="n"><finiteintrange start="0" end="3"/></variabledecl>
      <variabledecl id="h" name="h"><usersort declaration="hue"/></variabledecl>
      <variabledecl id="b" name="b"><bool/></variabledecl>
      <variabledecl id="p" name="p"><usersort declaration="pair"/></variabledecl>
    </declarations></structure></declaration>
  </net>
</pnml>
"#;

/// Properties of [`NET`], of every kind.
pub const PROPERTIES: &str = r#"<?xml version="1.0"?>
<property-set xmlns="http://mcc.lip6.fr/">
  <property><id>bound</id><description>the busy</description>
    <formula><place-bound><place>busy</place><place>idle</place></place-bound></formula></property>
  <property><id>reachable</id><formula><exists-path><finally><conjunction>
    <integer-le><integer-constant>2</integer-constant><tokens-count><place>busy</place></tokens-count></integer-le>
    <conjunction><is-fireable><transition>begin</transition><transition>end</transition></is-fireable><true/>
    </conjunction></conjunction></finally></exists-path></formula></property>
  <property><id>invariant</id><formula>
    <all-paths><globally><negation><deadlock/></negation></globally></all-paths></formula></property>
  <property><id>ctl</id><formula><all-paths><globally><implication>
    <is-fireable><transition>begin</transition></is-fireable>
    <exists-path><until><before><false/></before><reach><integer-ge>
    <integer-sum><tokens-count><place>log</place></tokens-count><integer-constant>3</integer-constant></integer-sum>
    <integer-difference><tokens-count><place>idle</place></tokens-count><integer-constant>-1</integer-constant>
    </integer-difference></integer-ge></reach></until></exists-path></implication></globally></all-paths></formula></property>
  <property><id>ltl</id><formula><all-paths><disjunction>
    <next><is-fireable><transition>end</transition></is-fireable></next>
    <globally><finally><integer-eq><tokens-count><place>server</place></tokens-count>
    <integer-constant>1</integer-constant></integer-eq></finally></globally></disjunction></all-paths></formula></property>
</property-set>
"#;

/// A type with everything that GAL has in small.
pub const GAL: &str = r#"gal ring ($N = 3) {
  typedef index = 0 .. $N - 1;
  int turn = 0;
  array [3] flags = (1, 0, 0);
  transition pass (index $i) [flags[$i] == 1 && turn < 10] label "step" {
    flags[$i] = 0;
    if (turn >= 2) { turn = 0; } else { turn += 1; }
    for ($k : index) { flags[($k + 1) % $N] = flags[$k] * 2 - (turn << 1); }
  }
}
composite system {
  ring one;
  ring two ($N = 2);
  synchronization both label "" { one."step"; two."step"; }
}
main system;
property p1 [invariant] : one:turn <= 10;
property p2 [ctl] : AG(EF(two:turn == 0));
"#;

/// Two processes that do a bit of everything that DVE has.
pub const DVE: &str = "const byte N = 3;
byte counter = 0, table[N] = {1, 2, 3};
int level = -4;
channel ask, answer;
channel {byte, int} queue[2];

process Left {
    byte i, seen[2];
    state idle, waiting, done;
    init idle;
    commit done;
    assert waiting: i < N or counter == 0;
    trans
        idle -> waiting { guard i < N && table[i] != 0; sync ask!(i + 1) % N; effect i = i + 1, table[i - 1] = 0; },
        waiting -> done { sync answer?seen[1]; effect level = level * 2 - counter; },
        -> idle { guard not (Right.busy imply Right->answers > 2) || level >> 1 == ~3; },
        done -> idle { sync queue!{i, -level}; effect seen[0] = seen[1]; };
}

process Right {
    byte question, answers;
    int amount;
    state free, busy;
    init free;
    accept busy;
    trans
        free -> busy { sync ask?question; },
        busy -> free { guard question / 2 < 2; sync answer!question ^ 1; effect answers = answers + 1; },
        busy -> busy { sync queue?{question, amount}; };
}

system async;
";

/// A synchronous system in DVE.
pub const DVE_SYNCHRONOUS: &str = "byte x;
process P { state a, b; init a; trans a -> b { effect x = x + 1; }, b -> a { }; }
process Q { byte t[4]; state a; init a; trans a -> a { guard t[x] == 0; effect t[x] = 1; }; }
system sync;
";

/// A coloured net with everything that `.sn` has in small.
pub const SN: &str = r#"$N = 3; $K = $N * 2 - 1; /* sizes */
net all_of_it {
    class Seat circular = 1..$N;
    class Level linear = {low, `the middle`, high, l{1..2}} sets { some = {low, high}; few = {}; }
    class Proc = p{1..$K} subclasses { boss = p{1..1}; rest = {p{2..$K}}; }
    place free : Seat = <all> + 2<1> - <$N>;
    place pair : Seat * Proc = <all, boss> + <2, all - p1> + [1 in Seat:all] <3, p{$N}>;
    place held : Level * bag Proc = <low, {}> + <high, {p1, 2 * p2, boss}>;
    place lock = 2;
    place done;
    transition t (Seat x, Seat y, Proc p) [x != y && !(p in boss) || x++2 == y--] {
        take free<x> + <y>; take 2 lock; put pair<x, p> + $N<y++, p>; put done none;
    }
    transition u (Level l, bag Proc B, unique bag Proc C) [l < high && card(B) <= $N - 1 && C in B && C != {p1}] priority 2 {
        take held<l, B>; read lock; inhibit done 3<>; put held<`the middle`, C> + [card(C) > 1] <l++, B - C>;
    }
    transition v (bag Proc B, Level l) [B == {} || l in some] { take pair<1, B>; put done; inhibit held<all, B + p1>; }
}
property a [reachable] : free(1) + held(low, {p1, 2 * p2}) > pair(*, p1) && !fireable(t(x = 1, p = *), u);
property b [ctl] : AG(EF(done == 0)) && A[lock >= 1 U deadlock];
property c [ltl] : G (fireable(v(B = {})) -> F free($N) == 0);
property d [bounds] : 2 * free - held(high, *);
"#;

/// A net of GreatSPN in the old format, with its definitions after it: `greatspn` takes them apart.
pub const GREATSPN: &str = "|0|
a comment
|
f 1 4 1 3 1 0 0
n 2 1.0 1.0 0
idle|tag -10005 1.0 1.0 1.0 1.0 0 1.0 1.0 C
busy 0 1.0 1.0 1.0 1.0 1 2 0 1.0 1.0 C,D
mutex -1 1.0 1.0 1.0 1.0 0
log 3 1.0 1.0 1.0 1.0 0
rate 0.5 1.0 1.0 0
G1 0.0 0.0 1
begin 1.000000e+00 0 1 2 0 1.0 1.0 1.0 1.0 1.0 1.0 0 1.0 1.0 [d(x)=C1 and x<>y or d(x)=d(y)]
   1 1 1 0 0.0 0.0 <x>+2[!x=y]<^y>
5.9 3.2
   -1 3 0 0
   2
   1 2 0 0 0.0 0.0 <x,S>-<x,e>
   20000 4 0 0
   1
   1 2 0 0 0.0 0.0 <S-x,S D1>
end -5.1e+02 1 0 1 0 1.0 1.0 1.0 1.0 1.0 1.0 0
   1 2 0 0 0.0 0.0 F
   1
   1 1 0 0 0.0 0.0 |C1|<x>
   0
tick 1.0 1 127 0 0 1.0 1.0 1.0 1.0 1.0 1.0 0
   0
   0
|256
%
|
(C c 1.0 1.0 (@c
o C1,C2
))
(C1 c 1.0 1.0 (@c
p{1-n}
))
(C2 c 1.0 1.0 (@c
{q,r}
))
(D c 1.0 1.0 (@c
u D1
))
(M m 1.0 1.0 (@m
<S>+n<S C2>-<q>
))
(D1 c 1.0 1.0 (@c
{b,c}
))
(F f 1.0 1.0 (@f
<x,S>
))
";

/// A project of GreatSPN's editor.
pub const PROJECT: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<project name="sample" version="121">
  <gspn name="net" show-fluid-cmd="false">
    <nodes>
      <color-class definition="circular c{1..n}" name="C" x="2.4" y="3.0"/>
      <color-class definition="{a,b} is High + d{1..3} is Low" name="D"/>
      <color-class definition="C*D" name="CD"/>
      <template last-binding="2" name="n" type="INTEGER"/>
      <constant consttype="INTEGER" name="m" value="2*n-(1+n)/2"/>
      <constant consttype="REAL" name="rate" value="0.5"/>
      <constant consttype="INTEGER" domain="C" name="all" value="&lt;All&gt;+&lt;c1&gt;"/>
      <color-var domain="C" name="x"/>
      <color-var domain="D" name="d"/>
      <place domain="C" marking="all" name="idle"/>
      <place domain="CD" name="busy" marking="m&lt;c1,High&gt;"/>
      <place marking="m" name="log"/>
      <transition guard="d in High &amp;&amp; !(x == c1) || d !in Low -&gt; x++ != c2" name="begin" type="IMM" priority="n"/>
      <transition name="end" type="GEN" delay="I[1.0]" guard="d &lt;= b"/>
      <text-box>words</text-box>
    </nodes>
    <edges>
      <arc head="begin" kind="INPUT" mult="&lt;x&gt;+2&lt;x++&gt;" tail="idle"/>
      <arc head="busy" kind="OUTPUT" mult="[x in c1]&lt;All-x,High+Low-d&gt;+(&lt;x,d&gt;)" tail="begin"><point x="1" y="2"/></arc>
      <arc head="end" kind="INPUT" mult="&lt;x,d&gt;" tail="busy"/>
      <arc head="idle" kind="OUTPUT" mult="&lt;x&gt;" tail="end"/>
      <arc head="end" kind="INHIBITOR" mult="m" tail="log"/>
      <arc head="log" kind="OUTPUT" tail="end"/>
    </edges>
  </gspn>
  <measures gspn-name="net"><formulas/></measures>
</project>
"#;

/// A net of GreatSPN, and its definitions, if there are any.
pub fn greatspn(text: &str) -> (&str, Option<&str>) {
    match text.find("\n|256\n") {
        Some(at) => (&text[..=at], Some(&text[at + 1..])),
        None => (text, None),
    }
}
