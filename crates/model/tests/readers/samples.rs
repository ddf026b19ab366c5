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
