// Starts the viewer of a page that has the program and the capture in it.
'use strict';
(async () => {
	const find = id => document.getElementById(id), status = find('status');
	const unpack = async id => {
		const letters = atob(find(id).textContent), bytes = new Uint8Array(letters.length);
		find(id).remove();
		for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
		return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
	};
	try {
		const [program, capture] = await Promise.all([unpack('program'), unpack('capture')]);
		globalThis.iprofSession = { items: [{ name: JSON.parse(find('name').textContent), data: capture }] };
		const go = new Go();
		go.env = { HOME: '/home', XDG_CACHE_HOME: '/home', TMPDIR: '/tmp' };
		await go.run((await WebAssembly.instantiate(program, go.importObject)).instance);
		status.textContent = 'the viewer has ended; close this tab, or reload it';
	} catch (e) {
		status.textContent = 'the viewer does not start: ' + (e && e.message || e);
	}
})();
