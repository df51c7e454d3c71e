package ebitengine

import (
	"github.com/hajimehoshi/ebiten/v2"

	"example.com/iprof"
	"example.com/iprof/input"
)

// poller asks the engine for keys, because the engine has no callbacks.
var poller = input.Poller[ebiten.Key]{Keys: keys(), Down: ebiten.IsKeyPressed}

// typed is the memory of the characters.
var typed []rune

// Poll passes keys and mouse to the overlay. The position of the mouse is in pixels of the image that Overlay.Draw
// gets, from its top left. Call it once in each Update, before the game reads keys.
func Poll(x, y float64) {
	if !iprof.Enabled {
		return
	}
	typed = ebiten.AppendInputChars(typed[:0])
	m := input.Mouse{X: x, Y: y, Typed: typed, Left: ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft),
		Right:  ebiten.IsMouseButtonPressed(ebiten.MouseButtonRight),
		Middle: ebiten.IsMouseButtonPressed(ebiten.MouseButtonMiddle)}
	m.ScrollX, m.ScrollY = ebiten.Wheel()
	poller.Poll(m)
}

// Used reports whether the overlay took a key that is held. The game should then ignore the key. While input.Captured,
// it should ignore all keys and the mouse.
func Used(key ebiten.Key) bool { return poller.Used(key) }

// named has the keys other than letters, digits and function keys.
var named = map[ebiten.Key]input.Key{
	ebiten.KeySpace: input.KeySpace, ebiten.KeySlash: input.KeySlash, ebiten.KeyBracketLeft: input.KeyLeftBracket,
	ebiten.KeyBracketRight: input.KeyRightBracket, ebiten.KeyEscape: input.KeyEscape, ebiten.KeyEnter: input.KeyEnter,
	ebiten.KeyTab: input.KeyTab, ebiten.KeyBackspace: input.KeyBackspace, ebiten.KeyDelete: input.KeyDelete,
	ebiten.KeyArrowUp: input.KeyUp, ebiten.KeyArrowDown: input.KeyDown, ebiten.KeyArrowLeft: input.KeyLeft,
	ebiten.KeyArrowRight: input.KeyRight, ebiten.KeyPageUp: input.KeyPageUp, ebiten.KeyPageDown: input.KeyPageDown,
	ebiten.KeyHome: input.KeyHome, ebiten.KeyEnd: input.KeyEnd, ebiten.KeyNumpadEnter: input.KeyKeypadEnter,
	ebiten.KeyComma: ',', ebiten.KeyPeriod: '.',
	ebiten.KeyMinus: input.KeyMinus, ebiten.KeyEqual: input.KeyEqual, ebiten.KeyInsert: input.KeyInsert,
	ebiten.KeyContextMenu: input.KeyMenu, ebiten.KeyShiftLeft: input.KeyLeftShift,
	ebiten.KeyShiftRight: input.KeyRightShift, ebiten.KeyControlLeft: input.KeyLeftControl,
	ebiten.KeyControlRight: input.KeyRightControl, ebiten.KeyAltLeft: input.KeyLeftAlt,
	ebiten.KeyAltRight: input.KeyRightAlt, ebiten.KeyMetaLeft: input.KeyLeftSuper,
	ebiten.KeyMetaRight: input.KeyRightSuper,
}

// keys returns the overlay's keys by the engine's.
func keys() map[ebiten.Key]input.Key {
	all := map[ebiten.Key]input.Key{}
	for k, key := range named {
		all[k] = key
	}
	for i := range input.Key(26) {
		all[ebiten.KeyA+ebiten.Key(i)] = 'A' + i
	}
	for i := range input.Key(10) {
		all[ebiten.KeyDigit0+ebiten.Key(i)] = '0' + i
	}
	for i := range input.Key(12) {
		all[ebiten.KeyF1+ebiten.Key(i)] = input.KeyF1 + i
	}
	return all
}
