//go:build cgo || windows

package gl

import (
	"errors"

	"example.com/iprof/draw"
	"github.com/go-gl/mathgl/mgl32"
)

var errOtherContext = errors.New("profgl: this Renderer belongs to another OpenGL context than the current one, " +
	"or its context is gone")

// Renderer plays draw lists in one OpenGL context, or in contexts that share objects. DrawGL, DrawGraphGL and Overlay
// make their own renderers. Make one to play lists of your own.
//
// Draw restores the host's GL state. OpenGL has no means to undo the following:
//
//   - An open query or transform feedback counts the renderer's quads. An active
//     transform feedback that is not paused forbids the change of program.
//   - Colour targets other than the first get undefined values, unless their
//     colour masks are off.
//   - In OpenGL 2.1 and ES 2 the current values of generic attributes 0 to 2
//     may change.
//
// While an atlas is uploaded, glPixelTransfer must have its default values. Viewport and frame buffer stay the
// host's.
//
// Call all methods on the thread with the context, one at a time.
type Renderer struct {
	caps       *capabilities
	program    *program
	buffers    *buffers
	textures   textures
	matrix     mgl32.Mat4
	blendQuery blendQuery
	output     float32 // uniform of the shader: the form of colour that the blending expects

	drawing, blending, upload, trusted table

	viewport                [4]int32
	projection0, modelview0 mgl32.Mat4 // the fixed-function matrices
}

// NewRenderer makes a renderer for the current context. It changes no GL state. It returns an error without a context,
// in a context older than OpenGL 2.1 or ES 2, and if the driver refuses the shader program. In the last case the error
// contains the driver's log.
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

// Draw plays the list. The projection converts list units to clip space. nil uses the fixed-function matrices in a
// compatibility context, otherwise the viewport's pixels with the origin at the top left.
//
// With trustState Draw saves and restores nothing. The host must then set a GL state that lets quads through, and must
// expect changes of the program, the vertex array, the array buffer, the blending and the texture of unit 0.
//
// Draw returns an error if the current context is not the renderer's (not checked with trustState), and if the atlas
// does not fit a texture. After a list of the same size was drawn, Draw does not allocate.
func (r *Renderer) Draw(l *draw.List, projection *mgl32.Mat4, blend Blend, trustState bool) error {
	if !trustState && !r.program.current() {
		return errOtherContext
	}
	return r.draw(l, view{projection: projection}, blend, trustState)
}

// draw is Draw without the check of the context.
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

// blend draws with the selected blending.
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

// filter returns the sampling of the atlas, nearest or linear.
func (r *Renderer) filter(l *draw.List, v view) int32 {
	if !l.Smooth && r.exact(v.unit()) {
		return glNearest
	}
	return glLinear
}

// quads draws the quads, in a GL state that lets them through.
func (r *Renderer) quads(l *draw.List, filter int32, b Blend) error {
	if err := r.textures.bind(r.caps, r.upload, l.Atlas, filter); err != nil {
		return err
	}
	useProgram(r.program.id)
	uniformMatrix(r.program.projection, &r.matrix[0])
	r.output = r.blendQuery.output(r.caps, b)
	uniformFloat(r.program.blending, &r.output)
	r.buffers.draw(l.V[:len(l.V)/4*4])
	return nil
}

// Delete frees the renderer's objects. If its context is not current, Delete only forgets the renderer, and the GL
// objects stay.
func (r *Renderer) Delete() {
	if !r.program.current() {
		return
	}
	deleteProgram(r.program.id)
	r.buffers.delete()
	r.textures.delete()
}

// trustedState lists the state that a draw in trusted state sets and resets. It saves nothing.
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
