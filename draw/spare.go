package draw

import (
	"image"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"example.com/iprof/fonts"
)

// spare is the part of an atlas that is filled on demand, with single characters of a typeface beyond the fixed ones,
// and with words of other scripts. Pictures keep their places, so a list may use an atlas while another list adds to
// it. When the part is full, a new atlas replaces the old one and keeps the pictures drawn last.
type spare struct {
	mu      sync.Mutex
	image   *image.Alpha // of the atlas
	scale   float32
	newest  *Atlas // the atlas with all that was added
	x, y    int    // place of the next picture
	top     int    // first row
	shelf   int    // height of the row of pictures
	lost    uint64 // clock of the last text without room
	crowded bool   // nearly all pictures are in use: a new part would have no more room
	pieces  map[pieceKey]*piece
	layouts map[layoutKey][]*piece
	raster  [NumFaces]*fonts.Rasterizer

	full  atomic.Bool
	clock atomic.Uint64 // frames that used the atlas
	since uint64        // clock when the part was begun
	drawn budget
}

// pieceKey identifies a picture of text.
type pieceKey struct {
	text  string
	face  Face
	phase uint8
	word  bool // a word that Scripts drew, else a character of the typeface
}

// piece is a part of a text: a picture in the atlas, or text that the face draws.
type piece struct {
	glyph
	text    string
	face    Face
	phase   float32 // pixels
	advance float32 // pixels
	plain   bool    // the face draws it
	lost    bool    // plain because there was no room
	used    uint64  // clock of the last use
}

// budget bounds the pictures that are made in a frame. So a page of new characters takes several frames, and none of
// them is late.
type budget struct {
	frame, pictures, waits uint64 // waits: the frame of the last text that had to wait
}

// mostDrawn is the number of pictures after which other texts wait for the next frame.
const mostDrawn = 128

// spend reports whether another text may be laid out in a frame.
func (b *budget) spend(frame uint64) bool {
	if b.frame != frame {
		b.frame, b.pictures = frame, 0
	}
	if b.pictures >= mostDrawn {
		b.waits = frame
	}
	return b.pictures < mostDrawn
}

// Waiting reports whether texts of the last frame were drawn as escapes that later frames draw as letters. Then draw
// again. Either there were too many new characters for one frame, or the atlas is full of letters that are no longer in
// use.
func (a *Atlas) Waiting() bool {
	s := a.spare
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Load()
	return s.drawn.waits > 0 && now-s.drawn.waits <= 1 || s.lost > 0 && now-s.lost <= 1 && !s.crowded
}

// mostPieces and mostLayouts bound the memory of a spare part.
const (
	mostPieces  = 1 << 15
	mostLayouts = 1 << 14
)

// scripts is the function of SetScripts.
var scripts atomic.Pointer[Scripts]

// spareRows returns the least number of free rows of an atlas: enough for the letters of a few alphabets. Only a
// program with Scripts needs many.
func spareRows(width int) int {
	if scripts.Load() != nil {
		return width
	}
	return min(width/4, 512)
}

func newSpare(a *Atlas, bottom int) *spare {
	return &spare{image: a.Image, scale: a.scale, newest: a, x: 1, y: bottom, top: bottom}
}

// place copies a picture into the spare part. It returns false if there is no room.
func (s *spare) place(mask *image.Alpha, into *sprite) bool {
	w, h := mask.Rect.Dx(), mask.Rect.Dy()
	into.width, into.height = int16(w), int16(h)
	if w == 0 || h == 0 {
		into.width, into.height = 0, 0
		return true
	}
	size := s.image.Rect.Size()
	if s.x+w+1 > size.X {
		s.x, s.y, s.shelf = 1, s.y+s.shelf+1, 0
	}
	if w+2 > size.X || s.y+h+1 > size.Y {
		return false
	}
	at := image.Rect(s.x, s.y, s.x+w, s.y+h)
	copyMask(s.image, at.Min, mask)
	into.from, into.to = texelOf(at.Min, size.X, size.Y), texelOf(at.Max, size.X, size.Y)
	s.x, s.shelf = s.x+w+1, max(s.shelf, h)
	return true
}

// add keeps a piece with its picture. Without room, the face draws its text.
func (s *spare) add(key pieceKey, p *piece, mask *image.Alpha) *piece {
	p.text, p.face = strings.Clone(key.text), key.face
	p.x, p.y = int16(mask.Rect.Min.X), int16(mask.Rect.Min.Y)
	s.drawn.pictures++
	if len(s.pieces) >= mostPieces || !s.place(mask, &p.sprite) {
		s.full.Store(true)
		s.crowded = false
		return &piece{text: p.text, plain: true, lost: true}
	}
	key.text = p.text
	s.keep(key, p)
	s.newest = s.newest.next()
	return p
}

// keep remembers a piece.
func (s *spare) keep(key pieceKey, p *piece) {
	if s.pieces == nil {
		s.pieces = map[pieceKey]*piece{}
	}
	p.used = s.clock.Load()
	s.pieces[key] = p
}

// character returns a character that the face's own typeface has, at a phase, and the atlas with its picture. It
// returns nil if the typeface lacks the character, or if there is no room.
func (a *Atlas) character(face Face, text string, r rune, phase int) (*piece, *Atlas) {
	s := a.spare
	if s == nil || !unicode.IsPrint(r) {
		return nil, a
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := pieceKey{text: text, face: face, phase: uint8(phase)}
	p := s.pieces[key]
	if p == nil {
		p = s.rasterise(key, r, float64(phase)/float64(a.faces[face].phases))
	}
	if p == nil {
		return nil, s.newest
	}
	if s.use(p); p.lost {
		return nil, s.newest
	}
	return p, s.newest
}

// use marks a piece as drawn now.
func (s *spare) use(p *piece) {
	p.used = s.clock.Load()
	if p.lost {
		s.lost = p.used
	}
}

// rasterise draws and keeps a character if the typeface has it. If there is no room, it keeps that result.
func (s *spare) rasterise(key pieceKey, r rune, phase float64) *piece {
	spec := &faceSpecs[key.face]
	if s.raster[key.face] == nil {
		s.raster[key.face] = fonts.NewRasterizer(spec.typeface, spec.pixels*float64(s.scale))
	}
	from := s.raster[key.face]
	if !from.Has(r) {
		return nil
	}
	mask, advance := from.Glyph(r, phase)
	p := &piece{phase: float32(phase), advance: float32(advance)}
	if spec.tabular {
		p.advance = Snap(p.advance)
	}
	if p = s.add(key, p, mask); p.lost && len(s.pieces) < mostPieces {
		key.text = p.text
		s.keep(key, p)
	}
	return p
}

// next returns the same atlas with the generation of a new picture.
func (a *Atlas) next() *Atlas {
	b := *a
	b.Generation = int(atlases.generation.Add(1))
	atlases.Lock()
	defer atlases.Unlock()
	if step := scaleSteps(a.scale); atlases.byStep[step] == a {
		atlases.byStep[step] = &b
	}
	return &b
}

// renewEvery is the number of frames between two checks of a full part. Pictures that were drawn in these frames are in
// use.
const renewEvery = 8

// replaceable reports whether a new spare part is due: this one is full, and some of its pictures are not in use. If
// all are in use, characters without room stay escapes, so that a screen with too many letters does not flicker.
func (s *spare) replaceable() bool {
	age := s.clock.Load() - s.since
	if !s.full.Load() || age == 0 || age%renewEvery != 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all, used := 0, 0
	for _, p := range s.pieces {
		area := (int(p.width) + 1) * (int(p.height) + 1)
		if all += area; s.inUse(p) {
			used += area
		}
	}
	s.crowded = used > all-all/16
	return !s.crowded
}

// inUse reports whether a piece was drawn lately.
func (s *spare) inUse(p *piece) bool { return s.clock.Load()-p.used <= renewEvery }

// renew returns an atlas with a new spare part. It keeps the pieces in use, and the pieces drawn last up to half of the
// room. The old atlas does not change, because lists may use it.
func (s *spare) renew() *Atlas {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := *s.newest
	a.Generation = int(atlases.generation.Add(1))
	size := s.image.Rect.Size()
	a.Image = image.NewAlpha(s.image.Rect)
	copy(a.Image.Pix, s.image.Pix[:s.top*s.image.Stride])
	b := newSpare(&a, s.top)
	b.clock.Store(s.clock.Load())
	b.since = b.clock.Load()
	for _, key := range s.latest() {
		p := *s.pieces[key]
		if p.lost {
			continue
		}
		if !s.inUse(&p) && b.y > (s.top+size.Y)/2 || !b.place(s.picture(&p), &p.sprite) {
			break
		}
		used := p.used
		b.keep(key, &p)
		p.used = used
	}
	a.spare = b
	return &a
}

// latest returns the keys of the pieces, the last drawn first. It sorts the pieces of one frame by height, so that the
// rows of the new part have few gaps.
func (s *spare) latest() []pieceKey {
	keys := make([]pieceKey, 0, len(s.pieces))
	for key := range s.pieces {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool {
		p, q := s.pieces[keys[i]], s.pieces[keys[j]]
		return p.used > q.used || p.used == q.used && p.height > q.height
	})
	return keys
}

// picture returns the picture of a piece.
func (s *spare) picture(p *piece) *image.Alpha {
	size := s.image.Rect.Size()
	x, y := (int(p.from.u)*size.X+32767)/65535, (int(p.from.v)*size.Y+32767)/65535
	return s.image.SubImage(image.Rect(x, y, x+int(p.width), y+int(p.height))).(*image.Alpha)
}
