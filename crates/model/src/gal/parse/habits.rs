//! Habits from other languages: what people write where this one writes something else, and how it is written here.

use super::super::token::Token;
use super::formula::until;
use super::{Failed, Parsed, Parser};
use crate::gal::ledger::complaint::{self, shortened};

/// What has been read where a `;` is expected.
pub(super) enum Read<'t> {
    /// A variable of this name.
    Variable(&'t str),
    /// A place of this name.
    Place(&'t str),
    /// An arc that begins with this word.
    Arc(&'t str),
    /// An instance of this type.
    Instance(&'t str),
    /// The value of an assignment.
    Value,
}

/// Where a declaration is expected.
#[derive(Clone, Copy)]
pub(super) enum Inside {
    File,
    Program,
    Net,
    Composite,
}

impl Parser<'_> {
    /// A `;` after something.
    pub(super) fn semicolon_after(&mut self, read: &Read) -> Parsed<()> {
        let help = self.instead_of_semicolon(read);
        self.semicolon_with(help)
    }

    /// How it is written what stands here in place of a `;`.
    fn instead_of_semicolon(&self, read: &Read) -> Option<String> {
        Some(match (read, self.peek()) {
            (Read::Variable(name), Token::LeftBracket) => {
                format!("the number of elements comes before the name: `array [...] {};`", shortened(name))
            }
            (Read::Variable(name), Token::Colon) => {
                let name = shortened(name);
                format!(
                    "a value is given with `=`: `int {name} = 1;`; no range is declared: guards say how far it goes"
                )
            }
            (Read::Variable(_), Token::Identifier) if self.is_word("in") => {
                "no range is declared: guards say how far a variable goes".to_owned()
            }
            (Read::Value, Token::Identifier) if self.is_word("mod") => "\"mod\" is written `%`".to_owned(),
            (Read::Value, Token::Identifier) if self.is_word("div") => "\"div\" is written `/`".to_owned(),
            (Read::Value, Token::Dot) if is_number(self.slice_before()) => WHOLE.to_owned(),
            (Read::Variable(_), Token::Comma) => "each variable is declared by itself: `int x; int y;`".to_owned(),
            (Read::Place(name), Token::LeftBracket) => {
                format!("the number of places comes before their name: `place [...] {};`", shortened(name))
            }
            (Read::Place(name), Token::LeftParenthesis | Token::Number | Token::Parameter | Token::Colon) => {
                format!("tokens are given with `=`: `place {} = 1;`", shortened(name))
            }
            (Read::Place(name), Token::LessOrEqual) => {
                format!("how much it may hold is written `place {} capacity 3;`", shortened(name))
            }
            (Read::Place(name), Token::Identifier)
                if ["max", "bound", "limit", "cap"].iter().any(|word| self.is_word(word)) =>
            {
                format!("how much it may hold is written `place {} capacity 3;`", shortened(name))
            }
            (Read::Place(_), Token::Comma) => "each place is declared by itself: `place p; place q;`".to_owned(),
            (Read::Arc(word), Token::Comma) => format!("each arc stands by itself: `{word} p; {word} q;`"),
            (Read::Instance(kind), Token::Comma) => {
                let kind = shortened(kind);
                format!("each instance is declared by itself: `{kind} a; {kind} b;`")
            }
            (Read::Value, Token::LeftParenthesis) => {
                "expressions have no functions; statements choose between values: `if (x > y) { ... } else { ... }`"
                    .to_owned()
            }
            _ => return None,
        })
    }

    /// Reports that no declaration begins here, of which these are the words. `usual` says what there is.
    pub(super) fn no_declaration(&mut self, inside: Inside, what: &str, words: &[&str], usual: &str) -> Failed {
        match self.sign_before_declaration().or_else(|| self.other_declaration(inside)) {
            Some(help) => self.none_of(what, &[], help),
            None => self.none_of(what, words, usual),
        }
    }

    /// What signs are here that stand between declarations in other languages.
    fn sign_before_declaration(&self) -> Option<&'static str> {
        match (self.peek(), self.peek_at(1)) {
            (Token::Semicolon, _) if self.slice_before() == "}" => Some("no `;` follows a `}`: leave it out"),
            (Token::Minus, Token::Minus) | (Token::Percent, _) | (Token::LeftParenthesis, Token::Star) => {
                Some("comments begin with `//`, or stand between `/*` and `*/`")
            }
            _ => None,
        }
    }

    /// How a declaration is written that begins with a word of another language.
    fn other_declaration(&self, inside: Inside) -> Option<&'static str> {
        if self.peek() != Token::Identifier {
            return None;
        }
        let word = self.slice();
        match inside {
            Inside::File => self.other_type(word),
            Inside::Program => other_variable(word).or_else(|| other_member(word, PROGRAM_STEP)),
            Inside::Net => other_place(word).or_else(|| other_member(word, NET_STEP)),
            Inside::Composite => match word {
                "transition" | "sync" | "synchronize" | "synchronise" => {
                    Some("parts move together in a `synchronization s { a.\"label\"; b.\"label\"; }`")
                }
                _ => None,
            },
        }
    }

    /// What begins a declaration of a file in other languages.
    fn other_type(&self, word: &str) -> Option<&'static str> {
        Some(match word {
            "const" | "constant" | "param" | "parameter" | "define" | "CONSTANT" | "CONSTANTS" | "val" => CONSTANT,
            "system" | "module" | "process" | "MODULE" | "proctype" | "active" => {
                "a part is a `gal` or a `net`, and a system of parts a `composite Name { ... }`"
            }
            "petrinet" | "petri" | "pn" | "PetriNet" => "a net of places is written `net Name { ... }`",
            "assert" | "invariant" | "spec" | "ltl" | "ctl" | "formula" | "check" | "SPEC" | "LTLSPEC" | "CTLSPEC"
            | "INVARSPEC" | "INVARIANT" | "PROPERTY" | "THEOREM" => {
                "a question is a property: `property name [invariant] : x == 1;`"
            }
            "AG" | "AF" | "EG" | "EF" | "A" | "E" => "a question is a property: `property name [ctl] : AG x == 1;`",
            "G" | "F" => "a question is a property: `property name [ltl] : G x == 1;`",
            "enum" | "mtype" => NAMED_VALUES,
            "class" | "color" | "colour" | "colset" => {
                "tokens with colours are for a net in a file that ends in `.sn`: `class P = {a, b};`"
            }
            "int" | "array" | "var" | "place" | "transition" | "VAR" | "VARIABLE" | "VARIABLES" => {
                "variables and transitions stand inside of a type: `gal Name { ... }`, or `net Name { ... }` where there are places"
            }
            _ if self.peek_at(1) == Token::Assign
                && matches!(self.peek_at(2), Token::Number | Token::Minus | Token::Parameter) =>
            {
                CONSTANT
            }
            _ => return None,
        })
    }

    /// Where the guard of a transition belongs, or what it does, if it stands here in another way.
    pub(super) fn other_guard(&self) -> Option<&'static str> {
        let is_guard = matches!(self.peek(), Token::Colon | Token::LeftBracket)
            || ["if", "when", "guard", "where"].iter().any(|word| self.is_word(word));
        if is_guard {
            return Some("a guard stands in brackets after the name: `transition t [x == 1] { ... }`");
        }
        let is_body = self.peek() == Token::Arrow || self.is_name_at(0);
        is_body.then_some("what it does stands in braces: `transition t [x == 1] { x = 2; }`")
    }

    /// Reports a statement in which no assignment follows a name.
    pub(super) fn no_assignment(&mut self, target: &str, usual: &str) -> Failed {
        let help = match self.peek() {
            Token::Comma => Some("variables change one after the other: `x = 1; y = 2;`"),
            _ => other_statement(target),
        };
        self.none_of("`=`, `+=` or `-=`", &[], help.unwrap_or(usual))
    }

    /// Reports that no arc begins here, of which these are the words.
    pub(super) fn no_arc(&mut self, words: &[&str], usual: &str) -> Failed {
        let help = match (self.peek(), self.peek_at(1)) {
            (Token::Identifier, Token::Arrow) => Some("an arc has a word and a place: `take p; put q;`"),
            (Token::Identifier, _) => other_arc(self.slice()),
            _ => None,
        };
        match help {
            Some(help) => self.none_of("an arc", &[], help),
            None => self.none_of("an arc", words, usual),
        }
    }

    /// How an operator of another language that follows an expression is written in this one.
    pub(super) fn other_operator(&self) -> Option<String> {
        let before = self.slice_before();
        let help = match (before, self.slice()) {
            (_, "and" | "AND" | "&" | "/" | "/\\") => "\"and\" is written `&&`",
            (_, "or" | "OR" | "|" | "\\/") => "\"or\" is written `||`",
            (_, "xor" | "XOR") => "\"either, and not both\" is written `!=` between conditions in parentheses",
            (_, "implies" | "=") => "\"implies\" is written `->`, and \"equals\" `==`",
            (_, "iff") => "\"if and only if\" is written `<->`",
            (_, "until") => "\"until\" is written `f U g`",
            (_, "V" | "release" | "releases") => "\"release\" is written `f R g`",
            (_, "unless") => "\"unless\" is written `f W g`",
            (_, "mod") => "\"mod\" is written `%`",
            (_, "div") => "\"div\" is written `/`, and leaves no rest",
            (_, "in") if self.coloured && self.formula => {
                "how many tokens of a place have a colour is written `place(a)`: `place(a) >= 1`"
            }
            (_, "in") => "a set is written out: `x == 1 || x == 3`, and a range too: `1 <= x && x <= 3`",
            (number, ".") if is_number(number) => WHOLE,
            (_, ".") => "what is inside of an instance is named with `:`, as in `c[0]:count`",
            (_, ",") if self.coloured => "how many tokens have some colours is written `place(a, b)`",
            ("deadlock", "(") => "`deadlock` stands alone: `EF deadlock`",
            ("enabled" | "fireable" | "fired", "(") if !self.formula => {
                "guards look at variables; whether a transition can fire is asked in formulas"
            }
            ("forall" | "exists" | "sum", _) if !self.formula => {
                "only formulas have quantifiers and sums: here each element is named, as in `t[0] == 0 && t[1] == 0`"
            }
            ("A" | "E", operator @ ("G" | "F" | "X")) => {
                return Some(format!("`{before}{operator}` is written as one word"));
            }
            (before, _) if !is_word(before) => return None,
            (before, word) => {
                let is_name = is_word(word) && self.peek() == Token::Identifier;
                let name = || format!("if this is one name, it is written in backquotes: `{before} {word}`");
                return other_beginning(before).or_else(|| is_name.then(name));
            }
        };
        Some(help.to_owned())
    }

    /// The same, after a formula.
    pub(super) fn other_operator_in_formula(&mut self) -> Option<String> {
        self.formula = true;
        let help = self.other_operator();
        self.formula = false;
        help
    }

    /// How a question is asked that begins here as in a file: `property p : f`, `ltl: f`.
    pub(super) fn other_question(&self) -> Option<String> {
        if self.is_word("property") && self.is_name_at(1) {
            let help = "only the formula is given here; lines with names are for a file: `--formulas FILE`";
            return Some(help.to_owned());
        }
        // `bounds:x == 1` may be about an instance with that name, and `bounds: G x` is about nothing.
        let is_formula = match self.peek_at(3) {
            Token::Identifier => until(self.slice_at(3)).is_none(),
            token => matches!(token, Token::LeftParenthesis | Token::Not),
        };
        let is_kind = self.peek() == Token::Identifier && self.peek_at(1) == Token::Colon && is_formula;
        is_kind.then(|| complaint::kind_in_brackets(self.slice())).flatten()
    }

    /// What was meant where an expression should begin: often a sign of another language, of which a part has been read.
    pub(super) fn other_expression(&self) -> Option<String> {
        let help = match (self.slice_before(), self.slice()) {
            ("=" | "==", "<") if self.coloured => "how many tokens of a place have a colour is written `place(a)`",
            (_, "|") if self.coloured => "how many tokens are in a place is said by its name: `place <= 3`",
            ("=", "<") => "\"at most\" is written `<=`",
            ("=" | "==", ">") | ("-", "->") if self.formula => "\"implies\" is written `->`",
            ("=" | "==", ">") | ("-", "->") => "\"a implies b\" is written `!a || b`",
            ("<", ">") | ("/" | "!=", "=") => "\"not equal\" is written `!=`",
            (">=" | "<=" | "==", "=") => "comparisons are `==`, `!=`, `<`, `<=`, `>` and `>=`",
            ("+", "+") => "`++` is no operator: write `x + 1`",
            ("..", ".") => "a range has two dots: `1..3`",
            (_, "{") if !self.formula && !self.coloured => {
                "a choice of values is a parameter of the transition: `transition t (0..1 $v) { x = $v; }`"
            }
            _ => return None,
        };
        Some(help.to_owned())
    }

    /// What a name means, in other languages, that is followed by a parenthesis.
    pub(super) fn other_function(&self, name: &str) -> Option<String> {
        Some(match name {
            "sum" | "count" | "Sum" => "a sum goes over a range: `sum ($i : 0..3) t[$i] <= 1`".to_owned(),
            "len" | "nempty" | "empty" | "full" | "nfull" => {
                "the name of a queue is how many letters it holds: `q == 0`".to_owned()
            }
            _ => return other_beginning(name),
        })
    }
}

/// How constants are written.
const CONSTANT: &str = "constants begin with `$`: `$N = 3;`";
/// How values with names are written.
const NAMED_VALUES: &str = "values with names are constants before the types: `$open = 0; $closed = 1;`";
/// How a step is written in a program, and in a net.
const PROGRAM_STEP: &str = "what can happen is a transition: `transition t [x < 3] { x += 1; }`";
const NET_STEP: &str = "what can happen is a transition: `transition t { take p; put q; }`";

/// What begins a member of a program or a net in other languages; `step` is how a transition is written.
fn other_member(word: &str, step: &'static str) -> Option<&'static str> {
    Some(match word {
        "const" | "constant" | "param" | "parameter" | "define" | "DEFINE" => {
            "constants stand before the types: `$N = 3;`"
        }
        "trans" | "action" | "rule" | "event" | "command" | "TRANS" | "ASSIGN" | "next" => step,
        "enum" | "mtype" => NAMED_VALUES,
        "sync" | "synchronization" | "synchronisation" => {
            "parts move together in a `synchronization` of a `composite`, by the labels of their transitions"
        }
        _ => return None,
    })
}

/// What begins a variable in other languages.
fn other_variable(word: &str) -> Option<&'static str> {
    Some(match word {
        "var" | "let" | "integer" | "VAR" | "VARIABLE" | "VARIABLES" => "variables are integers: `int x = 3;`",
        "place" => "places are for a `net`; a `gal` type has variables: `int p;`",
        "init" | "INIT" | "Init" => {
            "a variable begins with the value of its declaration: `int x = 1;`, and a further state to begin in is `initial name { x = 1; }`"
        }
        "chan" | "channel" | "queue" => "queues are for a `net`: `queue q { a, b } capacity 3;`",
        _ => return None,
    })
}

/// What begins a place or an arc in other languages.
fn other_place(word: &str) -> Option<&'static str> {
    Some(match word {
        "int" | "array" | "var" | "let" | "bool" => {
            "a `net` has places: `place p = 1;`; variables are for a `gal` type"
        }
        "arc" | "arcs" | "edge" | "input" | "output" | "inhibitor" | "take" | "put" | "read" | "inhibit" | "reset" => {
            "arcs stand inside of transitions: `transition t { take p; put q; }`"
        }
        "init" | "marking" | "M0" | "tokens" => {
            "a place begins with the tokens of its declaration: `place p = 1;`, and a further marking is `initial name { p = 1; }`"
        }
        "class" | "color" | "colour" | "colset" => {
            "tokens with colours are for a net in a file that ends in `.sn`: `class P = {a, b};`"
        }
        _ => return None,
    })
}

/// How a type of variables of another language is written, of those that are no words of this one.
pub(super) fn other_kind(word: &str) -> Option<&'static str> {
    Some(match word {
        "bool" | "boolean" | "bit" => {
            "variables are integers: `int flag = 0;`, where 0 stands for false and 1 for true"
        }
        "byte" | "short" | "long" | "unsigned" | "char" | "uint" => "variables are integers of 32 bits: `int x = 0;`",
        "float" | "double" | "real" | "clock" => "variables are whole numbers of 32 bits: `int x = 0;`",
        "string" | "String" => NAMED_VALUES,
        _ => return None,
    })
}

/// What begins a statement in other languages.
fn other_statement(word: &str) -> Option<&'static str> {
    Some(match word {
        "while" | "do" | "loop" => {
            "a loop is `for ($i : 0..3) { ... }`, or `fixpoint { ... }` until nothing changes; what happens again is a transition"
        }
        "skip" | "pass" => "where nothing is to be done the braces are empty: `{ }`",
        "assert" => "what must hold is a property of the file: `property name [invariant] : x == 1;`",
        "print" | "printf" => "what happens is shown by `--trace` and by `mandala simulate`",
        "next" => "the next value is assigned: `x = x + 1;`",
        "int" | "var" | "let" | "bool" => "variables are declared before the transitions, as members of the type",
        "take" | "put" => "places are for a `net`; a program changes variables: `x -= 1;`",
        "return" | "break" | "goto" | "exit" => {
            "a transition is one step; where it must not happen its guard says so: `[x < 3]`"
        }
        _ => return None,
    })
}

/// What begins an arc in other languages.
fn other_arc(word: &str) -> Option<&'static str> {
    Some(match word {
        "in" | "input" | "consume" | "get" | "remove" | "from" | "pre" => {
            "what a transition takes is written `take p;`"
        }
        "out" | "output" | "produce" | "add" | "give" | "to" | "post" => "what a transition puts is written `put p;`",
        "test" | "check" | "guard" | "when" => "what must be there, and stays, is written `read p;`",
        _ => return None,
    })
}

/// What is said where a number has a point in it.
const WHOLE: &str = "numbers are whole";

/// What a word of another language before a formula is here.
fn other_beginning(word: &str) -> Option<String> {
    if let Some(apart) = apart(word) {
        return Some(format!("operators stand apart: `{apart} f`"));
    }
    let help = match word {
        "not" | "NOT" => "\"not\" is written `!`",
        "always" | "globally" => "\"in all states\" is written `AG f`, and \"from now on, on each run\" `G f`",
        "eventually" | "finally" => "\"in some state\" is written `EF f`, and \"some time, on each run\" `F f`",
        "exists" | "possibly" => "\"in some state\" is written `EF f`, and of indices `exists ($i : 0..3) f`",
        "forall" => "\"in all states\" is written `AG f`, and of indices `forall ($i : 0..3) f`",
        "never" => "\"in no state\" is written `AG !(f)`, or `[never] : f`",
        "next" => "\"in the next state\" is written `X f`, or `AX f` and `EX f`",
        "O" | "H" | "Y" | "Z" | "once" | "historically" | "previously" => {
            "formulas look ahead only; what the last step was is asked with `fired(t)`"
        }
        "bounds" | "bound" | "max" | "min" => "how large an integer becomes is asked with `[bounds] : x`",
        "ltl" | "ctl" | "LTL" | "CTL" | "reachable" | "invariant" | "LTLSPEC" | "CTLSPEC" | "SPEC" | "INVARSPEC" => {
            "the kind of a question is written in brackets: `[ltl] : f`, and may be left out"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

/// `GF` and the like as they are written here: `G F`.
fn apart(word: &str) -> Option<String> {
    let (mut parts, mut quantifier) = (Vec::new(), String::new());
    for letter in word.chars() {
        match letter {
            'A' | 'E' if quantifier.is_empty() => quantifier.push(letter),
            'G' | 'F' | 'X' => parts.push(format!("{}{letter}", std::mem::take(&mut quantifier))),
            _ => return None,
        }
    }
    (parts.len() > 1 && quantifier.is_empty()).then(|| parts.join(" "))
}

/// Whether a piece of text is a word, as names are.
fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// Whether a piece of text is a number.
fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}
