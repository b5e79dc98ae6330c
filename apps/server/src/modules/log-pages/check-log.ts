/**
 * A program that anyone checks a proof of a log with, apart from the portal: `node check-log.mjs PROOF ROOTS`, both files, the roots from `/log/roots.txt` or noted
 * elsewhere. It follows RFC 9162, 2.1.3.2.
 */
export const checkLogScript = `// Checks lines of an activity log against published roots: node check-log.mjs proof.json roots.txt
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const [proofFile, rootsFile] = process.argv.slice(2);
if (!rootsFile) stop('Name two files: the proof of your log, and the published roots');

function stop(words) {
  console.error(words);
  process.exit(1);
}

// Each root names the one before it by its link, so the newest stands for all.
const roots = new Map();
let link = '0'.repeat(64);
for (const line of readFileSync(rootsFile, 'utf8').split(/\\r?\\n/)) {
  if (line === '' || line.startsWith('#')) continue;
  const [root, day, first, last, hash, seal, own] = line.split(' ');
  if (roots.size > 0 || root === '1') {
    const expected = createHash('sha256').update([link, root, day, first, last, hash, seal].join(' ')).digest('hex');
    if (expected !== own) stop('Root ' + root + ' does not follow the one before it');
  }
  link = own;
  roots.set(Number(root), { day, first: Number(first), last: Number(last), hash, seal });
}
if (roots.size === 0) stop(rootsFile + ' has no roots');

const proof = JSON.parse(readFileSync(proofFile, 'utf8'));
for (const { line, root, index, size, path } of proof.lines) {
  const published = roots.get(root);
  if (!published) stop('Root ' + root + ' is not in ' + rootsFile);
  const [position, seal, number] = JSON.parse(line);
  const name = 'Line ' + number;
  if (published.first + index !== position || published.last - published.first + 1 !== size) stop(name + ' is at another place in root ' + root);
  let node = sha256(Buffer.from([0]), Buffer.from(line, 'utf8'));
  let [place, end] = [index, size - 1];
  for (const each of path) {
    if (end === 0) stop(name + ' has more hashes than root ' + root + ' has rows');
    const other = Buffer.from(each, 'hex');
    if (place % 2 === 1 || place === end) {
      node = sha256(Buffer.from([1]), other, node);
      while (place % 2 === 0 && place !== 0) [place, end] = [place >> 1, end >> 1];
    } else node = sha256(Buffer.from([1]), node, other);
    [place, end] = [place >> 1, end >> 1];
  }
  if (end !== 0 || node.toString('hex') !== published.hash) stop(name + ' is not what root ' + root + ' of ' + published.day + ' was made of');
  if (position === published.last && seal !== published.seal) stop(name + ' has another seal than was published');
}
console.log(proof.lines.length + ' lines of ' + proof.account + ' from ' + proof.from + ' to ' + proof.to + ' are in the log as it was published.');
if (proof.withoutRoot > 0) console.log(proof.withoutRoot + ' newer lines have no root yet.');
console.log('Newest root: ' + Math.max(...roots.keys()) + ', link ' + link);
`;
