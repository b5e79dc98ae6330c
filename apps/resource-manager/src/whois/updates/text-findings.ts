import { parseObject, type RpslParagraph } from '@portal/rpsl';
import { useEffect, useState } from 'react';
import { type Finding, findingsOf } from '../text/object-text.ts';

/** Maximum time the checks block the page. */
const sliceMs = 12;
/** Maximum number of findings: garbage has one per line, more than anyone reads. */
const maxFindings = 500;
const orders = new Set(['delete', 'password', 'override', 'dry-run']);

/** Returns the findings of one object in a longer text, with the lines of that text. Lines that are instructions to the server are not attributes. */
function findingsIn({ text, line: start }: RpslParagraph): Finding[] {
  const { object } = parseObject(text);
  const first = object?.attributes[0]?.line ?? 1;
  const isDeletion = object?.attributes.some(({ name }) => name === 'delete') ?? false;
  const found = isDeletion ? [] : findingsOf(text, 'modify');
  return found.flatMap(finding =>
    finding.attribute !== null && orders.has(finding.attribute)
      ? []
      : [{ ...finding, line: start + (finding.line ?? first) - 1, objects: [] }],
  );
}

export type TextFindings = { findings: readonly Finding[]; checked: number; isDone: boolean };

/** Returns the findings of the objects of a text, computed piece by piece so that the page stays responsive with thousands of them. */
export function useTextFindings(objects: readonly RpslParagraph[]): TextFindings {
  const [found, setFound] = useState<TextFindings & { of: readonly RpslParagraph[] }>({ of: [], findings: [], checked: 0, isDone: true });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const findings: Finding[] = [];
    let at = 0;
    const work = () => {
      const until = performance.now() + sliceMs;
      while (at < objects.length && performance.now() < until && findings.length < maxFindings)
        findings.push(...findingsIn(objects[at++]!));
      const isDone = at >= objects.length || findings.length >= maxFindings;
      setFound({ of: objects, findings: [...findings], checked: at, isDone });
      if (!isDone) timer = setTimeout(work);
    };
    timer = setTimeout(work);
    return () => clearTimeout(timer);
  }, [objects]);
  return found.of === objects || objects.length > 0 ? found : { findings: [], checked: 0, isDone: true };
}
