module example.com/iprof/exectrace

go 1.26.0

require (
	example.com/iprof v0.3.0
	github.com/klauspost/compress v1.20.4
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4
)

require golang.org/x/sys v0.50.0 // indirect

replace example.com/iprof => ..
