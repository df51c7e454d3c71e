package input

import (
	"maps"
	"slices"
	"strings"

	"example.com/iprof/gather"
)

// SetKeyLabels tells the default session what the user's layout prints on a key. label is GLFW's GetKeyName, or a
// function like it, with "" for a key without a character. Keys with Ctrl or Alt then follow the layout, and footer and
// help name keys as they are printed: Ctrl+Z is on the key with the Z. label gets scancode 0. It is called by
// SetKeyLabels, and at each press by the goroutine that delivers the key. Any goroutine may call this.
func SetKeyLabels[K ~int](label func(key K, scancode int) string) {
	if gather.Enabled {
		ControllerFor(nil).SetKeyLabels(func(k Key) string { return label(K(k), 0) })
	}
}

// SetKeyLabels sets what the user's layout prints on a key: see the function SetKeyLabels. With nil, keys have their
// places on a US layout.
func (c *Controller) SetKeyLabels(label func(key Key) string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.label = label
	if c.readLabels() {
		c.publish()
	}
}

// printable are the keys with characters.
const printable = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',-./;=[\\]`"

// readLabels reads what the layout prints on keys, and reports whether that has changed. The lock is held.
func (c *Controller) readLabels() (changed bool) {
	labels := map[Key]string{}
	if c.label != nil {
		for _, key := range printable {
			if printed := labelOf(c.label, Key(key)); printed != "" {
				labels[Key(key)] = printed
			}
		}
	}
	changed = !maps.Equal(labels, c.labels)
	c.labels = labels
	return changed
}

// labelOf returns what label says of a key, in upper case. Window libraries may panic for a key that the keyboard does
// not have.
func labelOf(label func(key Key) string, key Key) (printed string) {
	defer func() { _ = recover() }()
	return strings.ToUpper(label(key))
}

// keyName returns the name of a key by its label, if that is the character of a key that commands have. Without Ctrl
// and Alt, keys of digits have their places, as some layouts have digits only with Shift.
func (c *Controller) keyName(key Key, mods Mods) string {
	c.mu.Lock()
	printed := c.labels[key]
	c.mu.Unlock()
	switch {
	case len(printed) != 1:
	case printed[0] >= 'A' && printed[0] <= 'Z', follows(mods, printed):
		return keyName(Key(printed[0]), mods)
	}
	return keyName(key, mods)
}

// follows reports whether a key that is no letter follows its label: characters do not come with Ctrl and Alt.
func follows(mods Mods, printed string) bool {
	return mods&(ModControl|ModAlt|ModSuper) != 0 && strings.Contains("-=", printed)
}

// printed returns the name of a binding's key as the keyboard has it: see [viewer.KeyName]. The lock is held.
func (c *Controller) printed(b Binding) string {
	label, own := c.labels[b.Key], string(rune(b.Key))
	digit, letter := b.Key >= '0' && b.Key <= '9', b.Key >= 'A' && b.Key <= 'Z'
	elsewhere := func() bool { return slices.Contains(slices.Collect(maps.Values(c.labels)), own) }
	switch {
	case len(c.labels) == 0:
		return ""
	case digit, label == "", label == own, (letter || follows(b.Mods, own)) && elsewhere():
		return keyName(b.Key, b.Mods)
	}
	return modsName(b.Mods) + label
}
