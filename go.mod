module example.com/iprof

go 1.25

require (
	github.com/go-gl/gl v0.0.0-20210813123233-e4099ee2221f
	github.com/go-gl/glfw/v3.3/glfw v0.0.0-20260823155953-d41da22a9587
	github.com/go-gl/mathgl v1.2.0
	github.com/go-text/typesetting v0.3.5
	github.com/google/pprof v0.0.0-20250607225305-033d6d78b36a
	github.com/jezek/xgb v1.1.1
	github.com/urfave/cli/v3 v3.14.0
	golang.org/x/image v0.35.0
	golang.org/x/sys v0.40.0
	golang.org/x/term v0.39.0
	golang.org/x/text v0.33.0
)
