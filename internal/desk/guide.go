package desk

import (
	"path/filepath"

	"example.com/iprof/internal/outfile"
)

// OfferGuide offers the guided look at the first start. It offers it only once, whatever the answer.
func (d *Desk) OfferGuide() {
	if firstStart() {
		d.tab.panel.OfferGuide()
	}
}

// firstStart reports whether the viewer was never started before, and remembers that it was. It reports false if it
// cannot write its file: a question at each start would be a nuisance.
func firstStart() bool {
	name, err := recentFile()
	if err != nil {
		return false
	}
	if outfile.Folder(filepath.Dir(name)) != nil {
		return false
	}
	file, err := outfile.New(filepath.Join(filepath.Dir(name), "looked"))
	if err != nil {
		return false
	}
	return file.Close() == nil
}
