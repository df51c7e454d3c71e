package main

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	ximage "golang.org/x/image/draw"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/soft"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/internal/workload"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/viewer"

	drawlist "example.com/iprof/draw"
)

// shown are the pictures that documents show, and what makes them. make pictures writes them; look at each.
var shown = map[string]func(t *testing.T, file string){
	"docs/viewer.png":   screen("-frames", "900", "-size", "1280x720"),
	"docs/timeline.png": screen("-frames", "300", "-size", "1280x800", "-timeline"),
	"docs/overlay.png":  overGame,
	"docs/page.png":     document,
}

// screen returns what glviewer shows of the replay with some flags.
func screen(flags ...string) func(*testing.T, string) {
	return func(t *testing.T, file string) {
		flags = append(flags, "-workload", "replay", "-hidden", "-screenshot", file)
		if out, err := command("", flags...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}

// overGame is the panel of the first F1 over a game.
func overGame(t *testing.T, file string) {
	const width, height, steps = 960, 540, 400
	game := must.Get(workload.New("game", workload.Options{Seed: 7}))(t)
	defer game.Close()
	for range steps {
		must.Do(t, game.Step(time.Second/60))
	}
	s := process.NewSession()
	for r := world.NewGame(1, s); s.View().Info().Frames < 300; {
		must.Do(t, r.Step())
	}
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	from := game.Picture()
	ximage.NearestNeighbor.Scale(picture, picture.Rect, from, cover(from.Rect.Size(), width, height), draw.Src, nil)
	var list drawlist.List
	panel := viewer.PanelFor(s)
	panel.Change(func(o *viewer.Options) { o.Mode = viewer.PanelReportAndGraph })
	panel.Draw(&list, width, height, 1)
	soft.Render(picture, &list)
	save(t, file, picture)
}

// document is the page of a run.
func document(t *testing.T, file string) {
	var b bytes.Buffer
	must.Do(t, html.Write(&b, sampledump.Game(), html.Options{}))
	name := filepath.Join(t.TempDir(), "page.html")
	must.Do(t, os.WriteFile(name, b.Bytes(), 0o600))
	page := browser.Start(t)
	page.Size(1000, 900, "dark")
	page.Load(name)
	page.Screenshot(file)
}

func save(t *testing.T, file string, picture image.Image) {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, picture))
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o644))
}

// pixels reads a picture.
func pixels(t *testing.T, file string) *image.RGBA {
	t.Helper()
	from := must.Get(png.Decode(bytes.NewReader(must.Get(os.ReadFile(file))(t))))(t)
	picture := image.NewRGBA(from.Bounds())
	draw.Draw(picture, picture.Rect, from, from.Bounds().Min, draw.Src)
	return picture
}

// TestPicturesOfTheDocuments: the pictures show what the code draws now. With -update it makes them.
func TestPicturesOfTheDocuments(t *testing.T) {
	for name, make := range shown {
		t.Run(filepath.Base(name), func(t *testing.T) {
			if name != "docs/overlay.png" {
				longtest.Skip(t)
			}
			there := filepath.Join("..", "..", name)
			file := filepath.Join(t.TempDir(), "made.png")
			make(t, file)
			got := pixels(t, file)
			if *golden.Update {
				save(t, there, got)
				return
			}
			want := pixels(t, there)
			if got.Rect != want.Rect {
				t.Fatalf("%s is %v; want %v", name, want.Rect, got.Rect)
			}
			if err := golden.Measure(got, want).Within(golden.Driver); err != nil {
				t.Errorf("%s is not what the code draws: %v; make pictures writes it", name, err)
			}
		})
	}
}

// TestEachShownPictureIsMade: a document shows no picture that nothing makes.
func TestEachShownPictureIsMade(t *testing.T) {
	picture := regexp.MustCompile(`!\[[^]]*\]\(([^):]+)\)`)
	found := map[string]bool{}
	root := filepath.Join("..", "..")
	must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".md") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range picture.FindAllSubmatch(text, -1) {
			at, _ := filepath.Rel(root, filepath.Join(filepath.Dir(path), string(m[1])))
			found[filepath.ToSlash(at)] = true
		}
		return err
	}))
	got, want := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(shown))
	if !slices.Equal(got, want) {
		t.Errorf("documents show %q; shown makes %q", got, want)
	}
}
