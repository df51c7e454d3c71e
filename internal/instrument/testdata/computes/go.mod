module judged

go 1.25
