// Package store holds a session's measurements, and the settings by which frames are judged. It digests frames that
// were only logged, and loads a frame, a lane, a lens or an average as values by path and by zone. It makes neither
// rows nor words. Each view has a [Looker], with what the store keeps for its lane and lens.
package store
