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
	return append(lines, draw.KeyHint{Keys: name, Action: b.Action, Words: explained[b.Action]})
}

// explained says more of what several bindings do together, and of actions whose words are few for the footer's sake.
var explained = map[string]string{
	"move":                       "row above, below",
	"open zone":                  "open the zone: its call graph",
	"parent":                     "go to its largest caller",
	"frame":                      "frame before, after",
	"pause":                      "pause, go on",
	"mode":                       "report: self … extra",
	"average":                    "average: 0.8 s, 2.5 s, none",
	"precision":                  "decimals of milliseconds",
	"help":                       "this help",
	"frame over budget":          "frame over budget before, after",
	"10 frames":                  "10 frames back, on",
	"live":                       "newest frame, live",
	"page":                       "page of rows up, down",
	"self or hierarchical":       "sort by self or hierarchical time",
	"find zone":                  "find zones by name",
	"card of the zone":           "card: histogram, callers, source",
	"next frame budget":          "frame budget: 30 to 144 fps",
	"hold the scale":             "hold the scale of the history",
	"colours":                    "colours: dark, contrast, colour-blind",
	"lane":                       "next, previous lane",
	"compare with this frame":    "compare with what is shown now",
	"differences on, off":        "show or hide the differences",
	"view before, after":         "view before, after this",
	"copy the table":             "copy the table as text",
	"larger, smaller, as it was": "text larger, smaller, as it was",
}

// publish hands the help to the panel.
func (c *Controller) publish() { c.panel.SetKeys(hints(c.bindings)) }
