package input

import (
	"strings"

	"example.com/iprof/gather"
)

// SetKeyLabels tells the default session what the user's layout prints on a key. label is GLFW's GetKeyName, or a
// function like it, with "" for a key without a character. Keys with Ctrl or Alt then follow the layout: Ctrl+Z is on
// the key with the Z. label gets scancode 0, on the goroutine that delivers the key. Any goroutine may call this.
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
}

// keyName returns the name of a key by its label, if that is the character of a key that commands have. Without Ctrl
// and Alt, keys of digits have their places, as some layouts have digits only with Shift.
func (c *Controller) keyName(key Key, mods Mods) string {
	c.mu.Lock()
	label := c.label
	c.mu.Unlock()
	if label == nil || key <= KeySpace || key > 126 {
		return keyName(key, mods)
	}
	switch printed := strings.ToUpper(label(key)); {
	case len(printed) != 1:
	case printed[0] >= 'A' && printed[0] <= 'Z':
		return keyName(Key(printed[0]), mods)
	case mods&(ModControl|ModAlt|ModSuper) != 0 && strings.Contains("-=", printed):
		return keyName(Key(printed[0]), mods)
	}
	return keyName(key, mods)
}
