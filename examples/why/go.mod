module example.com/iprof/examples/why

go 1.26.0

require (
	example.com/iprof v0.3.0
	example.com/iprof/exectrace v0.3.0
	github.com/go-gl/gl v0.0.0-20231021071112-07e5d0ea2e71
	github.com/go-gl/glfw/v3.3/glfw v0.0.0-20260823155953-d41da22a9587
)

require (
	github.com/go-gl/mathgl v1.2.0 // indirect
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4 // indirect
	golang.org/x/image v0.48.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/term v0.48.0 // indirect
)

replace example.com/iprof => ../../

replace example.com/iprof/exectrace => ../../exectrace
