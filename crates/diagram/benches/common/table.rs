//! Tables on standard output, line by line: aligned, or in Markdown.

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Aligned,
    Markdown,
}

/// The title and width of a column.
pub enum Column {
    Left(&'static str, usize),
    Right(&'static str, usize),
}

impl Column {
    fn title(&self) -> &'static str {
        match self {
            Column::Left(title, _) | Column::Right(title, _) => title,
        }
    }

    fn pad(&self, text: &str) -> String {
        match *self {
            Column::Left(_, width) => format!("{text:<width$}"),
            Column::Right(_, width) => format!("{text:>width$}"),
        }
    }

    fn rule(&self) -> &'static str {
        match self {
            Column::Left(..) => "---",
            Column::Right(..) => "---:",
        }
    }
}

/// A table of `N` columns.
pub struct Table<const N: usize> {
    pub layout: Layout,
    pub columns: [Column; N],
}

impl<const N: usize> Table<N> {
    pub fn header(&self) {
        self.row(&self.columns.each_ref().map(|column| column.title().to_string()));
        if self.layout == Layout::Markdown {
            println!("|{}|", self.columns.each_ref().map(Column::rule).join("|"));
        }
    }

    pub fn row(&self, cells: &[String; N]) {
        match self.layout {
            Layout::Markdown => println!("| {} |", cells.join(" | ")),
            Layout::Aligned => {
                let padded: Vec<String> =
                    self.columns.iter().zip(cells).map(|(column, cell)| column.pad(cell)).collect();
                println!("{}", padded.join("  ").trim_end());
            }
        }
    }
}
