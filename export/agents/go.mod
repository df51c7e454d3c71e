module example.com/iprof/export/agents

go 1.26.0

require (
	example.com/iprof v0.3.0
	github.com/google/pprof v0.0.0-20261105003125-4bf881d7fb0b
	github.com/grafana/alloy/syntax v0.1.0
	gopkg.in/yaml.v3 v3.0.1
)

require (
	github.com/fatih/color v1.15.0 // indirect
	github.com/mattn/go-colorable v0.1.13 // indirect
	github.com/mattn/go-isatty v0.0.17 // indirect
	github.com/ohler55/ojg v1.20.1 // indirect
	golang.org/x/image v0.48.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/term v0.48.0 // indirect
)

replace example.com/iprof => ../..
