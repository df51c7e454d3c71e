module example.com/iprof/cmd/iprof-query

go 1.26.0

require example.com/iprof v0.3.0

replace example.com/iprof => ../..
