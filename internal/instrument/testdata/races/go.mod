module example.org/races

go 1.25
