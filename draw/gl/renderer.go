//go:build cgo

package gl

import (
	"errors"

	"example.com/iprof/draw"
	"github.com/go-gl/mathgl/mgl32"
)

var errOtherContext = errors.New("profgl: this Renderer belongs to another OpenGL context than the current one, or its context is gone")

// Renderer plays draw lists in one OpenGL context, or in contexts that share objects. DrawGL, DrawGraphGL and Overlay make
// and choose their own; a Renderer of one's own is for lists of one's own.
//
// A draw leaves the GL state of the host as it was, with these exceptions, which OpenGL gives no means to undo: an open
// query or transform feedback counts our quads (and an active, unpaused transform feedback forbids the change of program);
// colour targets other than the first get undefined values unless their colour masks are off; in OpenGL 2.1 and ES 2 the
// current values of generic attributes 0 to 2 may change. While an atlas is uploaded, glPixelTransfer must be as it is by
// default. Viewport and frame buffer are the host's: the picture goes where the host's own would.
//
// All methods are for the thread with the context, one at a time.
type Renderer struct {
	caps     *capabilities
	program  *program
	buffers  *buffers
	textures textures
	matrix   mgl32.Mat4
	asker    asker

	drawing, blending, upload, trusted table

	viewport                [4]int32
	projection0, modelview0 mgl32.Mat4 // the fixed-function matrices
}

// NewRenderer makes a renderer for the current context. It changes no GL state. It fails without a current context, in one
// older than OpenGL 2.1 or ES 2, and when the driver refuses the shader program, whose log the error then holds.
func NewRenderer() (*Renderer, error) {
	if err := load(); err != nil {
		return nil, err
	}
	caps, err := detect()
	if err != nil {
		return nil, err
	}
	p, err := newProgram(caps.dialect())
	if err != nil {
		return nil, err
	}
	return &Renderer{caps: caps, program: p, buffers: newBuffers(caps), drawing: drawingState(caps),
		blending: blendingState(caps), upload: uploadState(caps), trusted: trustedState(caps)}, nil
}

// Draw plays the list. The projection turns the list's units into clip space; nil takes the fixed-function matrices in a
// compatibility context, else the viewport's pixels, the origin at its top left. With trustState nothing is saved or
// restored: the host vouches for a GL state that lets quads through, and takes it that program, vertex array, array buffer,
// blending and the texture of unit 0 change. Draw fails in a context that is not the renderer's (not asked with trustState)
// and when the atlas does not fit a texture. It allocates nothing once the list's size has been seen.
func (r *Renderer) Draw(l *draw.List, projection *mgl32.Mat4, blend Blend, trustState bool) error {
	if !trustState && !r.program.current() {
		return errOtherContext
	}
	return r.draw(l, view{projection: projection}, blend, trustState)
}

// draw is Draw in a context that is known to be the renderer's.
func (r *Renderer) draw(l *draw.List, v view, blend Blend, trustState bool) error {
	if l == nil || l.Atlas == nil || l.Atlas.Image == nil || len(l.V) < 4 {
		return nil
	}
	r.project(v, trustState)
	state := r.drawing
	if trustState {
		state = r.trusted
	}
	state.enter()
	err := r.blend(l, r.filter(l, v), blend, trustState)
	state.leave()
	return err
}

// blend draws with the blending asked for in force.
func (r *Renderer) blend(l *draw.List, filter int32, b Blend, trusted bool) error {
	if b == BlendCaller {
		return r.quads(l, filter, b)
	}
	r.blending.enter()
	setBlend(r.caps, b)
	err := r.quads(l, filter, b)
	if !trusted {
		r.blending.leave()
	}
	return err
}

// filter is how the atlas is to be sampled.
func (r *Renderer) filter(l *draw.List, v view) int32 {
	if !l.Smooth && r.exact(v.unit()) {
		return glNearest
	}
	return glLinear
}

// quads draws in a state that lets quads through.
func (r *Renderer) quads(l *draw.List, filter int32, b Blend) error {
	if err := r.textures.bind(r.caps, r.upload, l.Atlas, filter); err != nil {
		return err
	}
	useProgram(r.program.id)
	uniformMatrix(r.program.projection, &r.matrix[0])
	uniformFloat(r.program.blending, r.asker.output(r.caps, b))
	r.buffers.draw(l.V[:len(l.V)/4*4])
	return nil
}

// Delete frees the renderer's objects. Its context must be current; if it is not, only the renderer is forgotten.
func (r *Renderer) Delete() {
	if !r.program.current() {
		return
	}
	deleteProgram(r.program.id)
	r.buffers.delete()
	r.textures.delete()
}

// trustedState is what a draw sets up that saves nothing, and clears up behind it.
func trustedState(c *capabilities) table {
	t := table{{"", func() {}, func() {
		useProgram(0)
		bindBuffer(glArrayBuffer, 0)
		bindTexture(glTexture2D, 0)
	}}}
	if c.vertexArrays {
		return append(t, trustedArrayStep())
	}
	return append(t, step{"", func() {}, func() {
		bindBuffer(glElementArrayBuffer, 0)
		for i := range uint32(3) {
			disableAttrib(i)
		}
	}})
}

func trustedArrayStep() step {
	var own uint32
	enter := func() {
		genVertexArray(&own)
		bindVertexArray(own)
	}
	leave := func() {
		bindVertexArray(0)
		deleteVertexArray(&own)
	}
	return step{"", enter, leave}
}
