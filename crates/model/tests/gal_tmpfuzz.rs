mod common;
use mandala_model::gal;
#[test]
fn fuzz() {
    let mut texts = vec![include_str!("everything.gal").to_string()];
    texts.extend(common::shared().into_iter().map(|(_, t)| t).filter(|t| t.len() < 4000));
    let mut random = 777u64;
    let mut next = |bound: usize| { random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); (random >> 33) as usize % bound.max(1) };
    let snippets = ["2147483647", "-2147483648", "0", "$N", "$Q", "(", ")", "[", "]", "{", "}", ";", "\"", "`", "..", "0..2000000000", "/", "%", "**", "<<", "self.", "x", "a[", "U", "AG", "fireable(", ":", "é", "<", ">", ">>", ","];
    let start = std::time::Instant::now();
    let (mut n, mut ok, mut slow) = (0u64, 0u64, 0f64);
    while start.elapsed().as_secs() < 80 {
        let base = &texts[if next(2) == 0 { 0 } else { next(texts.len()) }];
        let mut chars: Vec<char> = base.chars().collect();
        for _ in 0..1 + next(4) {
            let at = next(chars.len());
            match next(4) {
                0 => { chars.remove(at); }
                1 => { let s = snippets[next(snippets.len())]; for (i, c) in s.chars().enumerate() { chars.insert(at + i, c); } }
                2 => { let len = next(12).min(chars.len() - at); let s = snippets[next(snippets.len())]; chars.splice(at..at + len, s.chars()); }
                _ => { let from = next(chars.len()); let len = next(40).min(chars.len() - from); let piece: Vec<char> = chars[from..from + len].to_vec(); chars.splice(at..at, piece); }
            }
        }
        let text: String = chars.into_iter().collect();
        let t = std::time::Instant::now();
        match gal::read("f", &text, &[]) {
            Ok(model) => {
                ok += 1;
                let written = gal::write(&model.system, &model.properties);
                match gal::read("w", &written, &[]) {
                    Ok(again) => {
                        let (mut a, mut b) = (model, again);
                        common::forget_places(&mut a.system); common::forget_places(&mut b.system);
                        if a != b { std::fs::write("/tmp/gal-fuzz-diff.gal", &text).unwrap(); std::fs::write("/tmp/gal-fuzz-diff-written.gal", &written).unwrap(); panic!("differs"); }
                    }
                    Err(e) => { std::fs::write("/tmp/gal-fuzz-diff.gal", &text).unwrap(); panic!("{e}") }
                }
                let tree = gal::parse("f", &text).unwrap();
                assert_eq!(gal::parse("p", &tree.to_string()).unwrap(), tree);
            }
            Err(e) => { let _ = e.to_string(); }
        }
        let d = t.elapsed().as_secs_f64();
        if d > slow { slow = d; if d > 2.0 { std::fs::write("/tmp/gal-fuzz-slow.gal", &text).unwrap(); } }
        n += 1;
    }
    println!("{n} texts, {ok} fine, slowest {slow}");
}
