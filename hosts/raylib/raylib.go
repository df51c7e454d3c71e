// Package raylib shows the profiler's overlay in a program that uses raylib. One line of the loop changes:
//
//	import profraylib "example.com/iprof/hosts/raylib"
//
//	for !rl.WindowShouldClose() {
//		rl.BeginDrawing()
//		…
//		profraylib.EndDrawing() // was rl.EndDrawing()
//	}
//
// F1 shows the overlay, F2 gives it keys and mouse. The program should ignore keys and mouse while input.Captured, and
// a key while Used.
//
// Each picture is a frame. The time in rl.EndDrawing, which waits for the screen or for the target rate, is the zone
// "EndDrawing", which is idle.
//
// On Linux without the headers of Wayland, build raylib with -tags x11.
package raylib

import (
	rl "github.com/gen2brain/raylib-go/raylib"

	"example.com/iprof"
	profgl "example.com/iprof/draw/gl"
	"example.com/iprof/input"
)

// ExitKey is the key that closes the window: the program's argument of rl.SetExitKey. The key does nothing while the
// overlay has the focus. Set it before the first EndDrawing.
var ExitKey int32 = rl.KeyEscape

// waiting is the zone of the wait for the screen.
var waiting = iprof.Zone{Name: "EndDrawing", Idle: true}

// poller asks raylib for keys, because raylib has no callbacks. Its numbers of keys are GLFW's.
var poller = input.Poller[int32]{Keys: input.GLFWKeys[int32](), Down: rl.IsKeyDown}

var (
	begun bool
	typed []rune // the memory of the characters
)

// EndDrawing draws the overlay over the picture, shows both with rl.EndDrawing, ends the frame, and passes keys and
// mouse to the overlay. It returns the errors of profgl.Overlay; the picture is shown in spite of an error. In programs
// built with the tag iprof_off it is rl.EndDrawing.
func EndDrawing() error {
	if !iprof.Enabled {
		rl.EndDrawing()
		return nil
	}
	err := draw()
	show()
	iprof.Update()
	poll()
	return err
}

// draw draws the overlay. Before that it flushes raylib's pending drawing.
func draw() error {
	if !begun {
		begun = true
		input.OnFocus(keepOpen)
	}
	rl.DrawRenderBatchActive()
	scale := rl.GetWindowScaleDPI().X
	profgl.SetContentScale(scale)
	if width := rl.GetScreenWidth(); width > 0 {
		input.SetScale(float32(rl.GetRenderWidth()) / float32(width))
	}
	return profgl.Overlay()
}

// keepOpen keeps the window open when Escape gives the program the focus back.
func keepOpen(captured bool) {
	if captured {
		rl.SetExitKey(rl.KeyNull)
	} else {
		rl.SetExitKey(ExitKey)
	}
}

// show shows the picture and waits.
func show() {
	defer waiting.Begin().End()
	rl.EndDrawing()
}

// poll passes keys and mouse on. It takes typed characters only while they belong to the overlay, because raylib
// returns each character only once.
func poll() {
	at, wheel := rl.GetMousePosition(), rl.GetMouseWheelMoveV()
	m := input.Mouse{X: float64(at.X), Y: float64(at.Y), ScrollX: float64(wheel.X), ScrollY: float64(wheel.Y),
		Left: rl.IsMouseButtonDown(rl.MouseButtonLeft), Right: rl.IsMouseButtonDown(rl.MouseButtonRight),
		Middle: rl.IsMouseButtonDown(rl.MouseButtonMiddle)}
	typed = typed[:0]
	for input.Captured() {
		char := rl.GetCharPressed()
		if char == 0 {
			break
		}
		typed = append(typed, char)
	}
	m.Typed = typed
	poller.Poll(m)
}

// Used reports whether the overlay took a key that is held. The program should then ignore the key. While
// input.Captured, it should ignore all keys and the mouse.
func Used(key int32) bool { return poller.Used(key) }
