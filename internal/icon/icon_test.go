package icon

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
)

// theme is where the files are that "make install" copies, laid out as an icon theme is.
const theme = "../../tools/packaging/icons/hicolor"

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, data, 0o644))
}

func TestFilesAreWhatIsDrawn(t *testing.T) {
	for _, size := range Sizes {
		path := filepath.Join(theme, fmt.Sprintf("%dx%d/apps/glviewer.png", size, size))
		if *golden.Update {
			var b bytes.Buffer
			encoder := png.Encoder{CompressionLevel: png.BestCompression}
			must.Do(t, encoder.Encode(&b, Picture(size)))
			put(t, path, b.Bytes())
		}
		if got := read(t, path); !slices.Equal(got.Pix, Picture(size).Pix) {
			t.Errorf("%s: got another picture; make it anew with -update", path)
		}
	}
	path := filepath.Join(theme, "scalable/apps/glviewer.svg")
	if *golden.Update {
		put(t, path, []byte(SVG()))
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != SVG() {
		t.Errorf("%s: got %v, or another drawing; make it anew with -update", path, err)
	}
}

// read returns a picture, by pixels that compare however the file packs them.
func read(t *testing.T, path string) *image.NRGBA {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	p := must.Get(png.Decode(f))(t)
	straight, ok := p.(*image.NRGBA)
	if !ok {
		t.Fatalf("%s: got %T; want straight alpha", path, p)
	}
	return straight
}

// Where zones touch, and where they end, no pixel is a mixture: the icon is as crisp as the display.
func TestEdgesLieOnPixels(t *testing.T) {
	for _, size := range Sizes {
		known := []any{ground, budget, cursor}
		for _, c := range zones {
			known = append(known, c)
		}
		p, unit := Picture(size), size/side
		for y := 3 * unit; y < base*unit; y++ {
			for x := left * unit; x < (side-left)*unit; x++ {
				if y/unit != base-allowed-1 && !slices.Contains(known, any(p.NRGBAAt(x, y))) {
					t.Fatalf("%d pixels wide, at %d, %d: got the mixture %v; want a plain colour",
						size, x, y, p.NRGBAAt(x, y))
				}
			}
		}
		if a := p.NRGBAAt(0, 0).A; a > 128 {
			t.Errorf("%d pixels wide: got a corner with alpha %d; want it round", size, a)
		}
	}
	if got := Picture(-3).Rect.Dx(); got != 1 {
		t.Errorf("size -3: got %d pixels; want 1", got)
	}
}

func TestDrawingIsXML(t *testing.T) {
	shapes := 0
	for d := xml.NewDecoder(strings.NewReader(SVG())); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "rect" {
			shapes++
		}
	}
	if want := 1 + len(rectangles()); shapes != want {
		t.Errorf("got %d shapes; want %d", shapes, want)
	}
}
