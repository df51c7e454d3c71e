package desk

import (
	"os"
	"path/filepath"
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
	name = filepath.Join(filepath.Dir(name), "looked")
	if os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return false
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	return file.Close() == nil
}
