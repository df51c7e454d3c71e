// Package system draws text in the scripts that package fonts lacks, with the fonts of this machine.
//
//	found, err := system.Open()
//	if err == nil {
//		draw.SetScripts(found.Layout)
//	}
//
// Cyrillic, Greek and Latin letters need no other font: package draw has them. For other characters it searches a font,
// first in the named files, then in the system's fonts. It shapes Arabic and other scripts, orders right-to-left text,
// and puts marks on their letters. Viewers use this package. A measured program does not link it.
package system

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"

	"example.com/iprof/fonts"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/scratch"
)

// Environment names the environment variable with preferred fonts: files, separated as in PATH.
const Environment = "IPROF_FONT"

// Fonts lays out text with the fonts that were found. Any goroutine may use it.
type Fonts struct {
	mu        sync.Mutex
	found     *fontscan.FontMap
	style     fontscan.Query
	chosen    map[character]*font.Face
	script    language.Script      // of the next characters
	searched  language.Script      // the script that found searches
	own       [2]*fonts.Rasterizer // the typefaces of package fonts: proportional, mono
	paragraph bidi.Paragraph
	split     shaping.Segmenter
	shaper    shaping.HarfbuzzShaper
	painter   painter
}

// Open finds the fonts of this machine. It prefers the named files, then the files of the environment variable
// IPROF_FONT. The first time on a machine, it reads all fonts there, which may take seconds; it keeps an index of them
// in the user's cache folder, if no other user can change that. For an unusable file it returns an error with the
// file's name; the other fonts still work. Without any font it returns nil.
func Open(files ...string) (*Fonts, error) {
	files = slices.Concat(files, filepath.SplitList(os.Getenv(Environment)))
	f, err := OpenFiles(files...)
	if scan := f.searchSystem(); scan != nil && len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no system fonts: %w; name one with %s", scan, Environment))
	}
	return f, err
}

// searchSystem adds the system's fonts. The library keeps an index of them in a folder. Without a cache of the user's
// own it gets a folder for this call: an index that another user may have put there is not read. All
// fonts in the index are checked.
func (f *Fonts) searchSystem() error {
	folder, err := outfile.Cache("checked-fonts")
	if err == nil {
		err = outfile.Folder(folder)
	}
	if err != nil {
		if folder, err = scratch.Folder("iprof-fonts-"); err != nil {
			return err
		}
		defer os.RemoveAll(folder)
	}
	if err := enterUnsafe(folder); err != nil {
		return err
	}
	return f.found.UseSystemFonts(folder)
}

// OpenFiles uses only these font files: TrueType, OpenType, or collections of them. For an unusable file it returns an
// error with the file's name; the other files still work. A file may have 256 MB, and parsing it takes memory and time
// in proportion to its size, also if it is damaged.
func OpenFiles(files ...string) (*Fonts, error) {
	f := &Fonts{found: fontscan.NewFontMap(noLog{})}
	f.own[0] = fonts.NewRasterizer(fonts.TypefaceRegular, 13)
	f.own[1] = fonts.NewRasterizer(fonts.TypefaceMono, 13)
	var failed error
	for _, name := range files {
		if err := f.add(name); err != nil {
			failed = errors.Join(failed, fmt.Errorf("font %s: %w", name, err))
		}
	}
	return f, failed
}

// add adds a file. The library that reads fonts may panic on a damaged file.
func (f *Fonts) add(name string) (err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%w: %v", errDamaged, failure)
		}
	}()
	content, err := readable(name)
	if err != nil {
		return err
	}
	return f.found.AddFont(bytes.NewReader(content), name, "")
}

// noLog is a log that drops everything, because unreadable fonts are left out.
type noLog struct{}

func (noLog) Printf(string, ...any) {}

// query returns the preferred fonts for a style.
func query(bold, mono bool) fontscan.Query {
	q := fontscan.Query{Families: []string{fontscan.SansSerif, fontscan.Emoji}}
	if mono {
		q.Families = []string{fontscan.Monospace, fontscan.SansSerif, fontscan.Emoji}
	}
	q.Aspect.Weight = font.WeightNormal
	if bold {
		q.Aspect.Weight = font.WeightBold
	}
	return q
}
