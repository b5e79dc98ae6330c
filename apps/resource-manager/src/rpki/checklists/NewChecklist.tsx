import { FailureBanner, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { maxChecklistFiles, rpkiChecklists } from '@portal/contract/rpki/checklists';
import { rpki } from '@portal/contract/rpki/rpki';
import {
  Banner,
  Button,
  Checkbox,
  EmptyState,
  Field,
  FieldGroup,
  FormColumn,
  LinkButton,
  ResourceName,
  Row,
  Select,
  Sheet,
  TextInput,
} from '@portal/ui';
import { FileField } from '@portal/ui/picker/FileField';
import { useState } from 'react';
import { kindOf } from '../resource-kind.ts';
import { type HashedFile, hashFiles } from './hashed-file.ts';

const lives = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const;

/** Chooses resources and files, and has the list of their hashes signed. */
export function NewChecklist() {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const { certified, mode } = useAnswer(rpki.getStatus, { account });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [files, setFiles] = useState<readonly HashedFile[]>([]);
  const [tooLarge, setTooLarge] = useState<readonly string[]>([]);
  const [hashing, setHashing] = useState(false);
  const [days, setDays] = useState('30');
  const [comment, setComment] = useState('');
  const refusal = useRefusal(rpkiChecklists.signChecklist);
  const back = () => address.set({ new: null });
  const sign = useChange(rpkiChecklists.signChecklist, {
    showsErrors: true,
    refresh: [rpkiChecklists.listChecklists, rpki.listHistory],
    onProposed: back,
    onDone: () => {
      notify({ text: 'The checklist is being signed. You can download it within seconds.' });
      back();
    },
  });
  if (mode !== 'hosted')
    return (
      <Sheet aria-label="New signed checklist">
        <EmptyState title="No certificate to sign with" action={<LinkButton href="/resources/rpki/index">See RPKI</LinkButton>}>
          Checklists are signed with the resource certificate of {account}, which isn’t published at the moment.
        </EmptyState>
      </Sheet>
    );
  const choose = (added: readonly File[]): void => {
    setHashing(true);
    void hashFiles(added).then(({ hashed, refused }) => {
      setFiles(old => [...old, ...hashed.filter(({ key }) => old.every(each => each.key !== key))].slice(0, maxChecklistFiles));
      setTooLarge(refused);
      setHashing(false);
    });
  };
  const lacks = chosen.length === 0 ? 'Choose at least one resource' : files.length === 0 ? 'Add at least one file' : null;
  return (
    <Sheet
      aria-label="New signed checklist"
      footer={
        <Row gap={8} wrap>
          <Button
            variant="commit"
            busy={sign.isPending || hashing}
            refusal={refusal ?? (lacks === null ? null : { reason: lacks })}
            onClick={() =>
              sign.mutate({
                account,
                body: {
                  resources: [...chosen],
                  files: files.map(({ name, sha256 }) => ({ name, sha256 })),
                  days: Number(days),
                  comment: comment.trim(),
                },
              })
            }
          >
            Sign checklist
          </Button>
          <Button onClick={back}>Cancel</Button>
        </Row>
      }
    >
      <FormColumn>
        <FailureBanner failure={sign.error} />
        <FieldGroup legend="Resources you sign for" help="Choose only those that the files are about.">
          {certified.map(resource => (
            <Checkbox
              key={resource}
              checked={chosen.includes(resource)}
              onChange={({ target }) => setChosen(old => (target.checked ? [...old, resource] : old.filter(each => each !== resource)))}
            >
              <ResourceName kind={kindOf(resource)} text={resource} />
            </Checkbox>
          ))}
        </FieldGroup>
        <FileField
          label="Files"
          help="They are hashed in your browser and never uploaded. Names with spaces or special characters are left out; the content counts."
          accept=""
          most={maxChecklistFiles}
          files={files.map(({ key, fileName, size, sha256, name }) => ({
            key,
            name: fileName,
            size,
            state: 'sent',
            share: 1,
            words: `SHA-256 ${sha256.slice(0, 16)}…${name === null ? ', listed without its name' : ''}`,
          }))}
          onChoose={choose}
          onRemove={key => setFiles(old => old.filter(each => each.key !== key))}
        />
        {tooLarge.length > 0 && <Banner kind="warning">{tooLarge.join(', ')} can’t be hashed here: files may have up to 1 GB.</Banner>}
        <Field label="Valid for" help="It ends earlier if your certificate does, or once you revoke it.">
          <Select value={days} onChange={event => setDays(event.target.value)}>
            {lives.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Comment" optional help="Only contacts of the account see it.">
          <TextInput maxLength={200} value={comment} onChange={event => setComment(event.target.value)} />
        </Field>
        <p className="small muted">
          A checklist proves who controls the resources, not who a person or company is (RFC 9255). It ends with a key rollover.
        </p>
      </FormColumn>
    </Sheet>
  );
}
