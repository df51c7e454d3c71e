package desk

import (
	"encoding/json"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// Settings are the settings that a viewer saves when its window is closed. People may edit the file, too: see
// SettingsFile. Unknown entries and values out of range are ignored.
type Settings struct {
	Window  *Place   `json:"window,omitempty"`  // nil: never closed
	Scale   float32  `json:"scale,omitempty"`   // of text and lines, times that of the monitor
	Theme   string   `json:"theme,omitempty"`   // one of Themes
	Columns []string `json:"columns,omitempty"` // of the table, by the names that the command "columns" has
	Tabs    []string `json:"tabs,omitempty"`    // absolute paths of captures, and addresses of programs

	KeptZones []string `json:"keptZones,omitempty"` // names of zones that stay at the top of the table
	KeptLanes []string `json:"keptLanes,omitempty"` // names of goroutines that stay at the top of the timeline
}

// Place is the place of a window in units of the desktop.
type Place struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximized bool `json:"maximized,omitempty"`
}

// Themes are the names of the themes in the settings.
var Themes = [draw.NumThemes]string{draw.ThemeDark: "dark", draw.ThemeHighContrast: "contrast",
	draw.ThemeColorBlind: "colorblind", draw.ThemeLight: "light"}

// ownColumns are the names of the columns that reports do not have.
var ownColumns = map[string]report.Column{"bar": viewer.ColumnBar, "spark": viewer.ColumnSpark}

// mostSettings limits the bytes of the file, mostRemembered the entries of each list.
const mostSettings, mostRemembered = 1 << 20, 20

// SettingsFile returns the path of the settings: iprof/settings.json in the user's folder of settings.
func SettingsFile() (string, error) {
	dir, err := outfile.Config()
	return filepath.Join(dir, "settings.json"), err
}

// LoadSettings reads the settings. If there is no readable file, it returns the settings of a first start.
func LoadSettings() (s Settings) {
	name, err := SettingsFile()
	if err != nil {
		return s
	}
	file, err := os.Open(name)
	if err != nil {
		return s
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostSettings))
	if err != nil || json.Unmarshal(text, &s) != nil {
		return Settings{}
	}
	for _, list := range []*[]string{&s.Tabs, &s.KeptZones, &s.KeptLanes} {
		*list = (*list)[:min(len(*list), mostRemembered)]
	}
	return s
}

// Save writes the settings for the next start. It replaces an existing file as a whole.
func (s *Settings) Save() error {
	name, err := SettingsFile()
	if err != nil {
		return err
	}
	if err := outfile.Folder(filepath.Dir(name)); err != nil {
		return err
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return outfile.Write(name, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// dress gives a panel the scale, theme, columns, kept zones and kept lanes of the settings.
func (s *Settings) dress(o *viewer.Options) {
	o.Scale = s.Scale
	if s.Scale == 0 {
		o.Scale = 1
	}
	o.Theme = draw.Theme(max(slices.Index(Themes[:], s.Theme), 0))
	o.Columns, o.KeptZones, o.KeptLanes = nil, s.KeptZones, s.KeptLanes
	for c := range report.Column(report.NumColumns) {
		if slices.Contains(s.Columns, c.Info().Name) && c.Info().Name != "" {
			o.Columns = append(o.Columns, c)
		}
	}
	for name, c := range ownColumns {
		if slices.Contains(s.Columns, name) {
			o.Columns = append(o.Columns, c)
		}
	}
}

// Settings returns the settings to save: the look of the shown tab, and the list of tabs. With only the first tab open,
// the list of the start stays.
func (d *Desk) Settings() Settings {
	o := d.tab.panel.Options()
	s := Settings{Window: d.options.Settings.Window, Theme: Themes[o.Theme],
		KeptZones: o.KeptZones, KeptLanes: o.KeptLanes}
	if o.Scale != 1 {
		s.Scale = o.Scale
	}
	for _, c := range o.Columns {
		name := c.Info().Name
		for own, of := range ownColumns {
			if of == c {
				name = own
			}
		}
		s.Columns = append(s.Columns, name)
	}
	for _, t := range d.tabs {
		if t.path != "" && t.set == "" && importer.Reopens(t.path) {
			s.Tabs = append(s.Tabs, t.path)
		} else if t.link != nil && !t.link.started {
			s.Tabs = append(s.Tabs, t.link.address)
		}
	}
	if s.Tabs == nil {
		s.Tabs = d.options.Settings.Tabs
	}
	return s
}

// The range of a window's sides.
const leastSide, greatestSide = 64, 16384

// Fits reports whether a window can have the size.
func (p *Place) Fits() bool {
	return min(p.Width, p.Height) >= leastSide && max(p.Width, p.Height) <= greatestSide
}

// leastInSight is how much of a window's upper edge must be on a monitor.
const leastInSight = 64

// OnScreen reports whether a user would find the window on one of the monitors.
func (p *Place) OnScreen(monitors []image.Rectangle) bool {
	if !p.Fits() || max(p.X, -p.X, p.Y, -p.Y) > 1<<20 {
		return false
	}
	top := image.Rect(p.X, p.Y, p.X+p.Width, p.Y+leastSide)
	for _, m := range monitors {
		if r := top.Intersect(m); r.Dx() >= leastInSight && r.Dy() >= leastInSight/2 {
			return true
		}
	}
	return false
}
