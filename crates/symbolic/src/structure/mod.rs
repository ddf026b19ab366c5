//! What the structure of a net says about its markings, without exploring them.
