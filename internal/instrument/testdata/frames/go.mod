module frames

go 1.25

require (
	github.com/go-gl/glfw/v3.3/glfw v0.0.0
	github.com/hajimehoshi/ebiten/v2 v2.0.0
)

replace (
	github.com/go-gl/glfw/v3.3/glfw => ./glfw
	github.com/hajimehoshi/ebiten/v2 => ./ebiten
)
