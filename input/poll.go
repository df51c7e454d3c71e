package input

import (
	"slices"
	"time"

	"example.com/iprof/gather"
)

// A Poller passes keys and mouse to the overlay in programs that ask for their state once a frame, as with Ebitengine,
// raylib or SDL. K is the library's type of keys.
//
//	var overlay = input.Poller[int32]{Keys: input.GLFWKeys[int32](), Down: rl.IsKeyDown}
//	…
//	overlay.Poll(input.Mouse{X: x, Y: y, Left: rl.IsMouseButtonDown(rl.MouseButtonLeft)})
//	if !input.Captured() && rl.IsKeyDown(rl.KeyW) {
//
// One goroutine may use a Poller at a time. In programs built with the tag iprof_off a Poller without a Controller does
// nothing.
type Poller[K comparable] struct {
	// Keys maps the library's keys to the overlay's keys, modifiers included. Other keys belong to the program. Do not
	// change it after the first Poll.
	Keys map[K]Key

	// Down reports whether a key is held now.
	Down func(key K) bool

	// Controller receives the events; nil means the default session's controller.
	Controller *Controller

	state pollState[K]
}

// pollState has the state of a Poller. Its methods do the work. The methods of Poller are inlined, so that a program
// built with the tag iprof_off does not link a Controller and the types behind it.
type pollState[K comparable] struct {
	keys  map[K]Key
	down  func(K) bool
	order []K         // sorted by Key, so that the order of events is always the same
	since map[K]int64 // time of the next repeat of a held key, ns since 1970
	used  map[K]bool
	mouse Mouse
}

// Mouse is the state of the mouse in a frame, and the characters typed since the last frame.
type Mouse struct {
	X, Y                float64 // in window units from the top left: see SetScale
	Left, Right, Middle bool    // held buttons
	ScrollX, ScrollY    float64 // notches since the last frame; scrolling down is negative
	Typed               []rune  // if empty, keys are read as on a US layout
}

// A held key repeats after repeatDelay, once every repeatEvery.
const (
	repeatDelay = 500 * time.Millisecond
	repeatEvery = 50 * time.Millisecond
)

// GLFWKeys returns Keys for a library that uses GLFW's numbers of keys, such as raylib.
func GLFWKeys[K ~int | ~int32 | ~uint32]() map[K]Key {
	keys := map[K]Key{}
	for k := KeySpace; k <= KeyMenu; k++ {
		keys[K(k)] = k
	}
	return keys
}

// Poll passes on the changes since the last call. Call it once a frame, before the program reads keys.
func (p *Poller[K]) Poll(m Mouse) {
	if gather.Enabled || p.Controller != nil {
		p.state.poll(p.Controller, p.Keys, p.Down, m)
	}
}

// Used reports whether the overlay took a key that is held. The program should then ignore the key, even if Captured is
// false: F1 is such a key.
func (p *Poller[K]) Used(key K) bool { return p.state.took(key) }

func (p *pollState[K]) took(key K) bool { return p.used[key] }

// poll does the work of Poll. A nil controller means the default session's controller.
func (p *pollState[K]) poll(c *Controller, keys map[K]Key, down func(K) bool, m Mouse) {
	if gather.Enabled && c == nil {
		c = ControllerFor(nil)
	}
	p.begin(keys)
	p.down = down
	mods := p.mods()
	now := c.now().UnixNano()
	for _, key := range p.order {
		p.pollKey(c, key, mods, now)
	}
	for _, r := range m.Typed {
		c.polling.char(r)
	}
	p.pollMouse(c, m, mods)
}

func (p *pollState[K]) begin(keys map[K]Key) {
	if p.since != nil {
		return
	}
	p.keys, p.since, p.used = keys, map[K]int64{}, map[K]bool{}
	for key := range p.keys {
		at := len(p.order)
		for at > 0 && p.keys[p.order[at-1]] > p.keys[key] {
			at--
		}
		p.order = slices.Insert(p.order, at, key)
	}
}

// mods returns the held modifiers.
func (p *pollState[K]) mods() (m Mods) {
	for _, key := range p.order {
		var mod Mods
		switch p.keys[key] {
		case KeyLeftShift, KeyRightShift:
			mod = ModShift
		case KeyLeftControl, KeyRightControl:
			mod = ModControl
		case KeyLeftAlt, KeyRightAlt:
			mod = ModAlt
		case KeyLeftSuper, KeyRightSuper:
			mod = ModSuper
		}
		if mod&^m != 0 && p.down(key) {
			m |= mod
		}
	}
	return m
}

func (p *pollState[K]) pollKey(c *Controller, key K, mods Mods, now int64) {
	since, was := p.since[key]
	switch down := p.down(key); {
	case down && !was:
		p.since[key] = now + repeatDelay.Nanoseconds()
		p.used[key] = c.polling.key(p.keys[key], ActionPress, mods)
	case down && now >= since:
		p.since[key] = now + repeatEvery.Nanoseconds()
		c.polling.key(p.keys[key], ActionRepeat, mods)
	case !down && was:
		delete(p.since, key)
		delete(p.used, key)
		c.polling.key(p.keys[key], ActionRelease, mods)
	}
}

func (p *pollState[K]) pollMouse(c *Controller, m Mouse, mods Mods) {
	if m.X != p.mouse.X || m.Y != p.mouse.Y {
		c.polling.cursor(m.X, m.Y)
	}
	for _, b := range [...]struct {
		button   Button
		was, now bool
	}{
		{ButtonLeft, p.mouse.Left, m.Left}, {ButtonRight, p.mouse.Right, m.Right},
		{ButtonMiddle, p.mouse.Middle, m.Middle},
	} {
		switch {
		case b.now && !b.was:
			c.polling.button(b.button, ActionPress, mods)
		case b.was && !b.now:
			c.polling.button(b.button, ActionRelease, mods)
		}
	}
	if m.ScrollX != 0 || m.ScrollY != 0 {
		c.polling.scroll(m.ScrollX, m.ScrollY)
	}
	p.mouse = m
	p.mouse.Typed = nil
}
