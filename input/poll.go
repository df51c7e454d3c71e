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
	// Keys says which of the overlay's keys a key of the library is. Modifiers are among them. Other keys are the
	// program's alone. Do not change it after the first Poll.
	Keys map[K]Key

	// Down reports whether a key is held now.
	Down func(key K) bool

	// Controller receives the events; nil is that of the default session.
	Controller *Controller

	state pollState[K]
}

// pollState has what a Poller remembers. Its methods do the work. Those of Poller are inlined, so that a program built
// with the tag iprof_off does not link the types of all that a Controller leads to.
type pollState[K comparable] struct {
	keys  map[K]Key
	down  func(K) bool
	order []K         // by Key, so that events come in the same order each time
	since map[K]int64 // when a held key repeats, ns since 1970
	used  map[K]bool
	mouse Mouse
}

// Mouse is the state of the mouse in a frame, and the characters typed since the last one.
type Mouse struct {
	X, Y                float64 // in window units from the top left: see SetScale
	Left, Right, Middle bool    // held buttons
	ScrollX, ScrollY    float64 // notches since the last frame; scrolling down is negative
	Typed               []rune  // without them, keys are read as those of a US layout
}

// A held key repeats after repeatDelay, once every repeatEvery.
const (
	repeatDelay = 500 * time.Millisecond
	repeatEvery = 50 * time.Millisecond
)

// GLFWKeys returns the keys of a library that has GLFW's numbers for keys, such as raylib.
func GLFWKeys[K ~int | ~int32 | ~uint32]() map[K]Key {
	keys := map[K]Key{}
	for k := KeySpace; k <= KeyMenu; k++ {
		keys[K(k)] = k
	}
	return keys
}

// Poll passes on what has changed since the last call. Call it once a frame, before the program looks at keys.
func (p *Poller[K]) Poll(m Mouse) {
	if gather.Enabled || p.Controller != nil {
		p.state.poll(p.Controller, p.Keys, p.Down, m)
	}
}

// Used reports whether the overlay took a key that is held. The program should then ignore the key, also without
// Captured: F1 is such a key.
func (p *Poller[K]) Used(key K) bool { return p.state.took(key) }

func (p *pollState[K]) took(key K) bool { return p.used[key] }

// poll does the work of Poll. A nil controller stands for that of the default session.
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

// mods returns the modifiers that are held.
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
