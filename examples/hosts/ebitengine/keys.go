package main

import (
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"example.com/iprof/input"
)

// keys hands the engine's keys and mouse to the overlay. The engine is asked, it does not call; the zero value is ready.
type keys struct {
	withheld map[ebiten.Key]bool
	pressed  []ebiten.Key
	chars    []rune
}

// named are the keys that are no letter, digit or function key.
var named = map[ebiten.Key]input.Key{
	ebiten.KeySpace: input.KeySpace, ebiten.KeySlash: input.KeySlash, ebiten.KeyBracketLeft: input.KeyLeftBracket,
	ebiten.KeyBracketRight: input.KeyRightBracket, ebiten.KeyEscape: input.KeyEscape, ebiten.KeyEnter: input.KeyEnter,
	ebiten.KeyTab: input.KeyTab, ebiten.KeyBackspace: input.KeyBackspace, ebiten.KeyDelete: input.KeyDelete,
	ebiten.KeyArrowUp: input.KeyUp, ebiten.KeyArrowDown: input.KeyDown, ebiten.KeyArrowLeft: input.KeyLeft,
	ebiten.KeyArrowRight: input.KeyRight, ebiten.KeyPageUp: input.KeyPageUp, ebiten.KeyPageDown: input.KeyPageDown,
	ebiten.KeyHome: input.KeyHome, ebiten.KeyEnd: input.KeyEnd, ebiten.KeyNumpadEnter: input.KeyKeypadEnter,
}

// keyOf is the overlay's number of a key; 0 for one it has no use for.
func keyOf(k ebiten.Key) input.Key {
	switch {
	case k >= ebiten.KeyA && k <= ebiten.KeyZ:
		return 'A' + input.Key(k-ebiten.KeyA)
	case k >= ebiten.KeyDigit0 && k <= ebiten.KeyDigit9:
		return '0' + input.Key(k-ebiten.KeyDigit0)
	case k >= ebiten.KeyF1 && k <= ebiten.KeyF12:
		return input.KeyF1 + input.Key(k-ebiten.KeyF1)
	}
	return named[k]
}

// used reports whether the overlay took a key that is now down: the game should not act upon it.
func (k *keys) used(key ebiten.Key) bool { return k.withheld[key] }

// poll hands on what happened since the last frame.
func (k *keys) poll() {
	c := input.ControllerFor(nil)
	k.pollKeys(c)
	k.chars = ebiten.AppendInputChars(k.chars[:0])
	for _, char := range k.chars {
		c.Char(char)
	}
	x, y := ebiten.CursorPosition() // in pixels of the screen
	c.Cursor(float64(x), float64(y))
	for button, number := range map[ebiten.MouseButton]input.Button{ebiten.MouseButtonLeft: input.Left, ebiten.MouseButtonRight: input.Right} {
		if inpututil.IsMouseButtonJustPressed(button) {
			c.Button(number, input.Press, mods())
		} else if inpututil.IsMouseButtonJustReleased(button) {
			c.Button(number, input.Release, mods())
		}
	}
	if dx, dy := ebiten.Wheel(); dx != 0 || dy != 0 {
		c.Scroll(dx, dy)
	}
}

// pollKeys hands keys on. A key held for half a second repeats.
func (k *keys) pollKeys(c *input.Controller) {
	if k.withheld == nil {
		k.withheld = map[ebiten.Key]bool{}
	}
	k.pressed = inpututil.AppendPressedKeys(k.pressed[:0])
	for _, key := range k.pressed {
		switch held := inpututil.KeyPressDuration(key); {
		case held == 1:
			k.withheld[key] = c.Key(keyOf(key), input.Press, mods())
		case held > 30 && held%3 == 0:
			c.Key(keyOf(key), input.Repeat, mods())
		}
	}
	k.pressed = inpututil.AppendJustReleasedKeys(k.pressed[:0])
	for _, key := range k.pressed {
		c.Key(keyOf(key), input.Release, mods())
		delete(k.withheld, key)
	}
}

// mods are the modifier keys that are down.
func mods() (m input.Mods) {
	for key, bit := range map[ebiten.Key]input.Mods{ebiten.KeyShift: input.Shift, ebiten.KeyControl: input.Control, ebiten.KeyAlt: input.Alt} {
		if ebiten.IsKeyPressed(key) {
			m |= bit
		}
	}
	return m
}
