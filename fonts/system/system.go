// Package system draws text in the scripts that package fonts lacks, with the fonts of this machine.
//
//	found, err := system.Open()
//	if err == nil {
//		draw.SetScripts(found.Layout)
//	}
//
// Cyrillic, Greek and Latin letters need no other font: package draw has them. For the rest a font with the character
// is looked up: in the files that were named, then where the system keeps its fonts. Arabic and others are shaped,
// right-to-left text is ordered, marks are put on their letters. Viewers use this package. A program that is measured
// does not link it.
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
)

// Environment names the variable with fonts that are preferred to the system's: files, separated as in PATH.
const Environment = "IPROF_FONT"

// Fonts lays out text with the fonts that were found. Any goroutine may use it.
type Fonts struct {
	mu        sync.Mutex
	found     *fontscan.FontMap
	style     fontscan.Query
	chosen    map[character]*font.Face
	script    language.Script      // of the next characters
	asked     language.Script      // that found looks in
	own       [2]*fonts.Rasterizer // what package fonts draws itself: proportional, mono
	paragraph bidi.Paragraph
	split     shaping.Segmenter
	shaper    shaping.HarfbuzzShaper
	painter   painter
}

// Open finds the fonts of this machine. It prefers the files that are named, then those of the environment variable
// IPROF_FONT. The first time on a machine, it reads all fonts there, which may take seconds; it keeps an index of them
// in the user's cache folder. A file that cannot be used is an error that names it; the other fonts work nevertheless.
// Without any font, Fonts is nil.
func Open(files ...string) (*Fonts, error) {
	files = slices.Concat(files, filepath.SplitList(os.Getenv(Environment)))
	f, err := OpenFiles(files...)
	folder, missing := os.UserCacheDir()
	if missing == nil {
		folder = filepath.Join(folder, "iprof", "fonts")
		missing = os.MkdirAll(folder, 0o755)
	}
	if missing != nil {
		folder = os.TempDir()
	}
	if scan := f.found.UseSystemFonts(folder); scan != nil && len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no system fonts: %w; name one with %s", scan, Environment))
	}
	return f, err
}

// OpenFiles uses these files of fonts alone: TrueType, OpenType, or collections of them. A file that cannot be used is
// an error that names it; the others work nevertheless.
func OpenFiles(files ...string) (*Fonts, error) {
	f := &Fonts{found: fontscan.NewFontMap(quiet{})}
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

// add adds a file. A library that reads fonts may fail in any way on a damaged one.
func (f *Fonts) add(name string) (err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("not a font: %v", failure)
		}
	}()
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return f.found.AddFont(bytes.NewReader(content), name, "")
}

// quiet is a log of nothing: fonts that cannot be read are left out.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// query says which fonts are preferred for a style.
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
