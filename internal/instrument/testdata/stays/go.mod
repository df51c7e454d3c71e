module stays

go 1.22

godebug panicnil=1

require example.org/lib v1.0.0
replace example.org/lib => ../lib
