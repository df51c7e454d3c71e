package input

import "example.com/iprof/draw"

// hints words the keymap for the panel's help: bindings with equal actions share a line, with the keys in order.
func hints(bindings []Binding) []draw.KeyHint {
	var lines []draw.KeyHint
	for _, b := range bindings {
		lines = addHint(lines, b)
	}
	return lines
}

func addHint(lines []draw.KeyHint, b Binding) []draw.KeyHint {
	name := keyName(b.Key, b.Mods)
	for i := range lines {
		if lines[i].Action != b.Action {
			continue
		}
		if b.Key != KeyKeypadEnter {
			lines[i].Keys += " " + name
		}
		return lines
	}
	return append(lines, draw.KeyHint{Keys: name, Action: b.Action})
}

// publish hands the help to the panel.
func (c *Controller) publish() { c.panel.SetKeys(hints(c.bindings)) }
