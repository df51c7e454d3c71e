package input

import (
	"fmt"
	"slices"
	"strings"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// A Binding assigns a command of the panel to a key: see viewer.Panel.Commands. Several keys may have the same command,
// such as Enter and the keypad's Enter.
type Binding struct {
	Key     Key
	Mods    Mods // exactly these must be held
	Command string
}

// defaults returns the keymap of a new controller: the keys of the table of commands, in its order.
func defaults() (all []Binding) {
	for _, c := range viewer.Commands() {
		for _, name := range strings.Fields(c.Keys) {
			if key, mods, ok := keyOf(name); ok {
				all = append(all, Binding{key, mods, c.Name})
			}
		}
	}
	return all
}

// Bindings returns the keymap of the default session in the order of the help. The slice is a copy. Any goroutine may
// call it.
func Bindings() []Binding { return ControllerFor(process.Default()).Bindings() }

// Bindings returns the keymap in the order of the help. The slice is a copy.
func (c *Controller) Bindings() []Binding {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Binding(nil), c.bindings...)
}

// Bind assigns a command to a key. The key loses its old command; the command keeps its other keys. The command is one
// of viewer.Panel.Commands. A program adds its own commands with viewer.Panel.AddCommand. A key with an unknown command
// does nothing. Commands run on the goroutine that delivers the event.
func (c *Controller) Bind(key Key, mods Mods, command string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(func(old Binding) bool { return old.Key == key && old.Mods == mods })
	c.bindings = append(c.bindings, Binding{key, mods, command})
	c.publish()
}

// Unbind removes the binding of a key. The key's events go to the program again.
func (c *Controller) Unbind(key Key, mods Mods) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(func(old Binding) bool { return old.Key == key && old.Mods == mods })
	c.publish()
}

// Rebind assigns a new key to a command, and removes the command's old keys. The key loses its old command. For an
// unknown name, Rebind changes nothing and returns an error that lists the known names.
func (c *Controller) Rebind(name string, key Key, mods Mods) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if command, ok := c.panel.Command(name); !ok || command.Do == nil {
		return fmt.Errorf("input: no command %q: there are %s", name, strings.Join(c.names(), ", "))
	}
	at := slices.IndexFunc(c.bindings, func(b Binding) bool { return b.Command == name })
	if at < 0 {
		at, c.bindings = len(c.bindings), append(c.bindings, Binding{})
	}
	c.bindings[at] = Binding{key, mods, name}
	kept := c.bindings[:0]
	for i, b := range c.bindings {
		if i == at || b.Command != name && (b.Key != key || b.Mods != mods) {
			kept = append(kept, b)
		}
	}
	c.bindings = kept
	c.publish()
	return nil
}

func (c *Controller) remove(which func(Binding) bool) {
	c.bindings = slices.DeleteFunc(c.bindings, which)
}

// names returns the names of the commands that a key can have.
func (c *Controller) names() (names []string) {
	for _, command := range c.panel.Commands() {
		if command.Do != nil {
			names = append(names, command.Name)
		}
	}
	return names
}

// Keys returns the keys of bindings with their names: see [viewer.Panel.SetKeys] and viewer.Panel.Hints.
func Keys(bindings []Binding) (keys []viewer.KeyName) {
	for _, b := range bindings {
		keys = append(keys, viewer.KeyName{Key: keyName(b.Key, b.Mods), Command: b.Command})
	}
	return keys
}

// publish gives the panel the names of the keys.
func (c *Controller) publish() {
	keys := Keys(c.bindings)
	for i, b := range c.bindings {
		keys[i].Printed = c.printed(b)
	}
	c.panel.SetKeys(keys)
}
