module example.com/iprof/hosts/raylib

go 1.25

require (
	example.com/iprof v0.3.0
	github.com/gen2brain/raylib-go/raylib v0.55.1
)

require (
	github.com/ebitengine/purego v0.7.1 // indirect
	github.com/go-gl/gl v0.0.0-20231021071112-07e5d0ea2e71 // indirect
	github.com/go-gl/mathgl v1.2.0 // indirect
	golang.org/x/exp v0.0.0-20240506185415-9bf2ced13842 // indirect
	golang.org/x/image v0.35.0 // indirect
	golang.org/x/sys v0.40.0 // indirect
	golang.org/x/term v0.39.0 // indirect
)

replace example.com/iprof => ../../
