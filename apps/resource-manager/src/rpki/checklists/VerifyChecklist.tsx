import { FailureBanner, useChange } from '@portal/app-kit';
import type { AnswerOf } from '@portal/contract';
import { largestChecklist, rpkiChecklists } from '@portal/contract/rpki/checklists';
import { Banner, DateText, KeyValueList, Link, Sheet, Stack, StateMark } from '@portal/ui';
import { FileField } from '@portal/ui/picker/FileField';
import { useState } from 'react';
import { type HashedFile, hashFiles } from './hashed-file.ts';

type Verified = AnswerOf<typeof rpkiChecklists.verifyChecklist>;

/** Checks a signed checklist that was received, and which of the files at hand it lists. */
export function VerifyChecklist() {
  const [files, setFiles] = useState<readonly HashedFile[]>([]);
  const [signed, setSigned] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const verify = useChange(rpkiChecklists.verifyChecklist, { showsErrors: true });
  const choose = async (chosen: readonly File[]): Promise<void> => {
    const isSigned = ({ name }: File): boolean => name.toLowerCase().endsWith('.sig');
    const [object, ...others] = chosen.filter(isSigned);
    const { hashed, refused } = await hashFiles(chosen.filter(file => !isSigned(file)));
    setFiles(old => [...old, ...hashed.filter(({ key }) => old.every(each => each.key !== key))]);
    setProblem(refused.length > 0 ? `${refused.join(', ')}: too large to compare here` : null);
    if (!object) return;
    // Which one was meant is unknown.
    if (others.length > 0)
      return setProblem(`Choose one .sig file at a time. You chose ${[object, ...others].map(({ name }) => name).join(', ')}.`);
    setSigned(object.name);
    if (object.size * (4 / 3) > largestChecklist) return setProblem(`${object.name} is too large for a signed checklist`);
    const bytes = new Uint8Array(await object.arrayBuffer());
    verify.mutate({ body: { object: btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')) } });
  };
  return (
    <Sheet title="Verify a checklist you received">
      <Stack gap={16}>
        <p className="quiet">
          Someone who gets a checklist from you needs no login to verify it: <Link href="/checklists">{location.host}/checklists</Link>.
        </p>
        <FileField
          label="The .sig file and the files it is about"
          help="The files are compared in your browser; only the .sig file is sent."
          accept=""
          most={200}
          files={[
            ...(signed === null ? [] : [{ key: 'signed', name: signed, size: '', state: 'sent' as const, share: 1 }]),
            ...files.map(({ key, fileName, size, sha256 }) => ({
              key,
              name: fileName,
              size,
              state: 'sent' as const,
              share: 1,
              words: verify.data && (verify.data.files.some(each => each.sha256 === sha256) ? 'In the checklist' : 'Not in the checklist'),
            })),
          ]}
          onChoose={chosen => void choose(chosen)}
          onRemove={key => {
            if (key !== 'signed') return setFiles(old => old.filter(each => each.key !== key));
            setSigned(null);
            setProblem(null);
            verify.reset();
          }}
        />
        {problem && <Banner kind="error">{problem}</Banner>}
        <FailureBanner failure={verify.error} />
        {verify.data && <Result verified={verify.data} files={files} />}
      </Stack>
    </Sheet>
  );
}

function Result({
  verified: { problem, resources, files, validFrom, validUntil },
  files: given,
}: {
  verified: Verified;
  files: readonly HashedFile[];
}) {
  const isGiven = (sha256: string): boolean => given.some(each => each.sha256 === sha256);
  return (
    <div aria-live="polite">
      <Stack gap={12}>
        {problem === null ? (
          <Banner kind="success" title="Valid.">
            It was signed for these resources by their holder, and is not revoked.
          </Banner>
        ) : (
          <Banner kind="error" title="Not valid.">
            {problem}.
          </Banner>
        )}
        {validFrom && validUntil && (
          <KeyValueList
            items={[
              { key: 'Resources', value: <span className="mono">{resources.join(', ')}</span> },
              {
                key: 'Valid',
                value: (
                  <>
                    <DateText value={validFrom} shape="date" /> to <DateText value={validUntil} shape="date" />
                  </>
                ),
              },
              ...files.map(({ name, sha256 }) => ({
                id: `${name} ${sha256}`,
                key: <span className="mono">{name ?? `${sha256.slice(0, 16)}…`}</span>,
                value: isGiven(sha256) ? (
                  <StateMark state="valid" plain>
                    Your file is this one
                  </StateMark>
                ) : (
                  <span className="quiet">Not among your files</span>
                ),
              })),
            ]}
          />
        )}
      </Stack>
    </div>
  );
}
