import { useAddress } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { Button, SearchInput } from '@portal/ui';
import { useState } from 'react';
import styles from './ResourceRecord.module.css';

/** Asks for a prefix, address, range or AS number and goes to its page. */
export function FindResource() {
  const address = useAddress();
  const [text, setText] = useState('');
  return (
    <form
      className={styles.find}
      onSubmit={event => {
        event.preventDefault();
        if (text.trim() !== '') address.go(recordAddress(text.trim()));
      }}
    >
      <SearchInput label="Prefix, address, range or AS number" placeholder="198.18.0.0/19 or AS64500" value={text} onChange={setText} />
      <Button type="submit" size="s">
        Show
      </Button>
    </form>
  );
}
