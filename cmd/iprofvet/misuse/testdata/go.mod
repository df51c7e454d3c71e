module zones

go 1.26.0

require (
	example.com/iprof v0.3.0
	example.com/iprof/exectrace v0.3.0
)

require (
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4 // indirect
	golang.org/x/image v0.35.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/term v0.39.0 // indirect
)

replace (
	example.com/iprof => ../../../..
	example.com/iprof/exectrace => ../../../../exectrace
)
