//! Runs of the quotient as runs of the net, with colours.
