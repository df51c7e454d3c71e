module corpus

go 1.25
