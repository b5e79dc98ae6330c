/**
 * A program that anyone checks a proof of a log with, apart from the portal: `node check-log.mjs PROOF ROOTS [LINK]`, both files, the roots from `/log/roots.txt`, and
 * a link that was noted earlier. It follows RFC 9162, 2.1.3.2. Everything in both files may be made by someone else: what it prints comes from lines that it has checked.
 */
export const checkLogScript = `// Checks lines of an activity log against published roots: node check-log.mjs proof.json roots.txt [link]
// The link is one that you noted earlier: with it, the roots up to it are those that were published then.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const [proofFile, rootsFile, noted] = process.argv.slice(2);
const isHash = text => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
const isCount = (value, most) => Number.isSafeInteger(value) && value >= 0 && value < most;
// Texts are printed as JSON, so that they can't write anything else.
const shown = value => JSON.stringify(String(value)).slice(1, -1);

function stop(words) {
  console.error(words);
  process.exit(1);
}
if (!rootsFile) stop('Name two files: the proof of your log, and the published roots');

// Roots follow each other without a gap, in their numbers and their lines, and each names the one before it by its link.
const roots = [];
let link = '0'.repeat(64);
let notedRoot = null;
for (const line of readFileSync(rootsFile, 'utf8').split(/\\r?\\n/)) {
  if (line === '' || line.startsWith('#')) continue;
  const columns = line.split(' ');
  const [root, day, first, last, hash, seal, own] = columns;
  const number = roots.length + 1;
  if (columns.length !== 7 || ![hash, seal, own].every(isHash) || !/^[1-9][0-9]{0,14}$/.test(first) || !/^[1-9][0-9]{0,14}$/.test(last))
    stop('Row ' + number + ' of ' + rootsFile + ' is no root');
  if (root !== String(number)) stop('Root ' + number + ' is missing: ' + rootsFile + ' must begin with root 1 and have each once');
  const begins = number === 1 ? 1 : roots.at(-1).last + 1;
  if (Number(first) !== begins || Number(last) < begins || Number(last) - begins >= 65536) stop('The lines of root ' + root + ' do not follow those before');
  if (createHash('sha256').update([link, ...columns.slice(0, 6)].join(' ')).digest('hex') !== own) stop('Root ' + root + ' does not follow the one before it');
  link = own;
  if (own === noted) notedRoot = number;
  roots.push({ day, first: begins, last: Number(last), hash, seal });
}
if (roots.length === 0) stop(rootsFile + ' has no roots');
if (noted !== undefined && notedRoot === null) stop('No root has the link that you noted: these are not the roots that were published then');

const proof = JSON.parse(readFileSync(proofFile, 'utf8'));
let before = 0;
for (const { line, root, index, size, path } of proof.lines) {
  if (typeof line !== 'string' || !Array.isArray(path) || !path.every(isHash)) stop('The proof is no proof');
  if (!isCount(root, roots.length + 1) || root === 0) stop('Root ' + shown(root) + ' is not in ' + rootsFile + '. If it is newer, download the roots again');
  const published = roots[root - 1];
  const fields = JSON.parse(line);
  const [format, position, seal, , number, time, action, words, , account, , , refusal] = fields;
  const name = 'Line ' + shown(number);
  if (format !== 1 || fields.length !== 13) stop(name + ' has a format that this program does not know. Download the program again');
  if (!isCount(index, size) || size !== published.last - published.first + 1 || published.first + index !== position)
    stop(name + ' is at another place in root ' + root);
  if (position <= before) stop(name + ' is not in its order');
  if (account !== proof.account) stop(name + ' is of another account');
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
  if (end !== 0 || node.toString('hex') !== published.hash) stop(name + ' is not what root ' + root + ' of ' + shown(published.day) + ' was made of');
  if (position === published.last && seal !== published.seal) stop(name + ' has another seal than was published');
  before = position;
  console.log(shown(number) + '  ' + shown(time) + '  ' + shown(words) + (refusal === null ? '' : ' (refused)') + '  ' + shown(action) + '  root ' + root + ' of ' + shown(published.day));
}
console.log(proof.lines.length + ' lines of ' + shown(proof.account) + ' are in the log as it was published.');
if ([proof.from, proof.to].every(day => /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day)))
  console.log('The proof was made for ' + proof.from + ' to ' + proof.to + '. It says nothing of other days: they need proofs of their own.');
if (proof.withoutRoot > 0) console.log(shown(proof.withoutRoot) + ' more have no root yet. Check them tomorrow.');
console.log(notedRoot === null ? 'You gave no link. With one that you noted earlier, this also checks that no root was replaced.' : 'Your link is that of root ' + notedRoot + '.');
console.log('Note the newest link, of root ' + roots.length + ': ' + link);
`;
