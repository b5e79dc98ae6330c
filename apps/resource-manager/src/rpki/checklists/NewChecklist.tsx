import { useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { type Form as FormState, useForm } from '@portal/app-kit/form/use-form';
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

type Values = { resources: readonly string[]; days: string; comment: string };

const empty: Values = { resources: [], days: '30', comment: '' };

/** Chooses resources and files, and has the list of their hashes signed. */
export function NewChecklist() {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const { certified, mode } = useAnswer(rpki.getStatus, { account });
  const [files, setFiles] = useState<readonly HashedFile[]>([]);
  const [hashing, setHashing] = useState(false);
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
  const form = useForm(rpkiChecklists.signChecklist.body, empty, {
    name: 'checklist',
    also: ['files'],
    toBody: ({ resources, days, comment }) => ({
      resources,
      files: files.map(({ name, sha256 }) => ({ name, sha256 })),
      days: Number(days),
      comment,
    }),
    change: sign,
    send: body => sign.mutate({ account, body }),
  });
  if (mode !== 'hosted')
    return (
      <Sheet aria-label="New signed checklist">
        <EmptyState title="No certificate to sign with" action={<LinkButton href="/resources/rpki/index">See RPKI</LinkButton>}>
          Checklists are signed with the resource certificate of {account}, which isn’t published at the moment.
        </EmptyState>
      </Sheet>
    );
  return (
    <Form form={form} label="New signed checklist" bare>
      <Sheet
        aria-label="New signed checklist"
        footer={
          <Row gap={8} wrap>
            <Button type="submit" variant="commit" busy={form.busy || hashing} refusal={refusal}>
              Sign checklist
            </Button>
            <Button onClick={back}>Cancel</Button>
          </Row>
        }
      >
        <FormColumn>
          <FormProblems form={form} />
          <CertifiedResources form={form} certified={certified} />
          <HashedFiles {...form.field('files')} files={files} onFiles={setFiles} onHashing={setHashing} />
          <Field label="Valid for" help="It ends earlier if your certificate does, or once you revoke it." {...form.field('days')}>
            <Select {...form.input('days')}>
              {lives.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Comment" optional help="Only contacts of the account see it." {...form.field('comment')}>
            <TextInput {...form.input('comment')} />
          </Field>
          <p className="small muted">
            A checklist proves who controls the resources, not who a person or company is (RFC 9255). It ends with a key rollover.
          </p>
        </FormColumn>
      </Sheet>
    </Form>
  );
}

function CertifiedResources({ form, certified }: { form: FormState<Values>; certified: readonly string[] }) {
  const { resources: chosen } = form.values;
  const choice = form.field('resources');
  return (
    <FieldGroup legend="Resources you sign for" help="Choose only those that the files are about." error={choice.error}>
      {certified.map((resource, place) => (
        <Checkbox
          key={resource}
          {...(place === 0 && { id: choice.id })}
          checked={chosen.includes(resource)}
          onChange={({ target }) =>
            form.set({ resources: target.checked ? [...chosen, resource] : chosen.filter(each => each !== resource) })
          }
        >
          <ResourceName kind={kindOf(resource)} text={resource} />
        </Checkbox>
      ))}
    </FieldGroup>
  );
}

type FilesProps = {
  id: string;
  error?: string | undefined;
  files: readonly HashedFile[];
  onFiles: (change: (old: readonly HashedFile[]) => readonly HashedFile[]) => void;
  onHashing: (hashing: boolean) => void;
};

/** The files to sign. They are hashed here, and stay on this device. */
function HashedFiles({ id, error, files, onFiles, onHashing }: FilesProps) {
  const [tooLarge, setTooLarge] = useState<readonly string[]>([]);
  const choose = (added: readonly File[]): void => {
    onHashing(true);
    void hashFiles(added).then(({ hashed, refused }) => {
      onFiles(old => [...old, ...hashed.filter(({ key }) => old.every(each => each.key !== key))].slice(0, maxChecklistFiles));
      setTooLarge(refused);
      onHashing(false);
    });
  };
  return (
    <>
      <FileField
        id={id}
        error={error}
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
        onRemove={key => onFiles(old => old.filter(each => each.key !== key))}
      />
      {tooLarge.length > 0 && <Banner kind="warning">{tooLarge.join(', ')} can’t be hashed here: files may have up to 1 GB.</Banner>}
    </>
  );
}
