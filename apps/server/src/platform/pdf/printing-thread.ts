import { parentPort } from 'node:worker_threads';

/** Makes this thread typeset each document that `printerIn` sends, and hand over its bytes. An error ends the thread, and is the printer's. */
export function typesetEach<Paper>(typeset: (paper: Paper) => Promise<Uint8Array>): void {
  parentPort!.on('message', (paper: Paper) => {
    void typeset(paper).then(pdf => parentPort!.postMessage(pdf, [pdf.buffer as ArrayBuffer]));
  });
}
