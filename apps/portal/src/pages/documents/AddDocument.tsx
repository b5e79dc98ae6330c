import { useAccount, useChange, useKit } from '@portal/app-kit';
import { UploadField } from '@portal/app-kit/UploadField';
import { useUploads } from '@portal/app-kit/uploads';
import {
  documents,
  documentTitleLength,
  documentTypes,
  type DocumentType,
  visibilities,
  type Visibility,
} from '@portal/contract/documents';
import { Banner, Button, ButtonRow, Checkbox, Field, FormColumn, Select, Sheet, TextInput } from '@portal/ui';
import { type FormEvent, useState } from 'react';
import { titleFrom } from './document-words.ts';

const typeOptions = (Object.keys(documentTypes) as DocumentType[]).map(value => ({ value, label: documentTypes[value] }));

/** Adds a document to the account: for its contacts, or, as registry staff, for the member to read or to sign. */
export function AddDocument({ onClose }: { onClose: () => void }) {
  const { accountName, asStaff, contactTypes } = useAccount();
  const { notify } = useKit();
  const uploads = useUploads({ most: 1 });
  const file = uploads.sent[0];
  const [title, setTitle] = useState<string | null>(null);
  const [type, setType] = useState<DocumentType>(asStaff ? 'AGREEMENT' : 'OTHER');
  const [visibility, setVisibility] = useState<Visibility>('CORPORATE');
  const [validUntil, setValidUntil] = useState('');
  const [toSign, setToSign] = useState(false);
  const [tried, setTried] = useState(false);
  const options = { refresh: [documents.listDocuments], showsErrors: true, onDone: () => done() };
  const add = useChange(documents.addDocument, options);
  const give = useChange(documents.addStaffDocument, options);
  const name = title ?? (file ? titleFrom(file.fileName) : '');
  const done = () => {
    notify({ text: asStaff ? `${accountName} has the document. Its contacts get an e-mail.` : 'The document is added.' });
    onClose();
  };
  const problems = {
    file: uploads.sending ? 'Wait until the file has been sent' : file ? undefined : 'Choose a file',
    title: name.trim() === '' ? 'Write a title' : undefined,
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problems.file || problems.title || !file) return;
    const body = { documentId: file.documentId, title: name.trim(), type, visibility, validUntil: validUntil || null };
    if (asStaff) give.mutate({ accountName, body: { ...body, toSign } });
    else add.mutate({ account: accountName, body });
  };
  // Nobody gives away what they could not see themselves.
  const mayChoose = (each: Visibility): boolean =>
    asStaff || each === 'ALL_CONTACTS' || contactTypes.includes('corporate') || (each === 'BILLING' && contactTypes.includes('billing'));
  const error = add.error ?? give.error;
  return (
    <Sheet title="Add a document">
      <form onSubmit={send} noValidate aria-label="Add a document">
        <FormColumn>
          {error && (
            <Banner kind="error" traceId={error.errors[0]?.traceId}>
              {error.message}
            </Banner>
          )}
          <UploadField label="File" uploads={uploads} error={tried ? problems.file : undefined} />
          <Field label="Title" error={tried ? problems.title : undefined}>
            <TextInput value={name} maxLength={documentTitleLength} autoComplete="off" onChange={event => setTitle(event.target.value)} />
          </Field>
          <Field label="Type">
            <Select value={type} options={typeOptions} onChange={event => setType(event.target.value as DocumentType)} />
          </Field>
          <Field label="Seen by">
            <Select
              value={visibility}
              options={(Object.keys(visibilities) as Visibility[]).filter(mayChoose).map(value => ({ value, label: visibilities[value] }))}
              onChange={event => setVisibility(event.target.value as Visibility)}
            />
          </Field>
          <Field label="Valid until" optional>
            <TextInput type="date" value={validUntil} onChange={event => setValidUntil(event.target.value)} />
          </Field>
          {asStaff && (
            <Checkbox checked={toSign} onChange={event => setToSign(event.target.checked)}>
              A corporate contact is to sign it
            </Checkbox>
          )}
          <ButtonRow>
            <Button type="submit" variant="commit" busy={add.isPending || give.isPending}>
              Add the document
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </ButtonRow>
        </FormColumn>
      </form>
    </Sheet>
  );
}
