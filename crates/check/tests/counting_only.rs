#[path = "common/symmetric_nets.rs"]
mod nets;
mod common {
    pub mod random {
        pub fn factor() -> u64 {
            std::env::var("FACTOR").ok().and_then(|x| x.parse().ok()).unwrap_or(1)
        }
    }
    pub(crate) use crate::nets as symmetric_nets;
}
#[path = "counting.rs"]
mod counting;
#[path = "tensors.rs"]
mod tensors;
