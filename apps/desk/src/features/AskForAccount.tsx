import { FailureBanner, reading, useKit } from '@portal/app-kit';
import { features } from '@portal/contract/features/features';
import { Banner } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FindForm } from '../shell/FindForm.tsx';
import { answerInWords } from './feature-words.ts';
import styles from './Features.module.css';

/** Says whether one account has the feature, and why. */
export function AskForAccount({ feature }: { feature: string }) {
  const { call } = useKit();
  const [typed, setTyped] = useState('');
  const [account, setAccount] = useState('');
  const asked = useQuery({ ...reading(call, features.getAccountFeature, { feature, query: { account } }), enabled: account !== '' });
  const answer = asked.data && answerInWords(asked.data);
  return (
    <div>
      <FindForm
        label="Is it on for this account?"
        act="Check"
        typed={typed}
        onType={setTyped}
        onFind={words => setAccount(words.toUpperCase())}
        busy={asked.isFetching}
        maxLength={40}
        mono
        required="Enter the name of an account, such as EXAMPLE-AU"
      />
      <output className={styles.answer}>
        {asked.data && answer && (
          <Banner kind={asked.data.isOn ? 'success' : 'info'} title={`${answer.title}.`}>
            {answer.why}
          </Banner>
        )}
      </output>
      <div className={styles.answer}>
        <FailureBanner failure={asked.error} />
      </div>
    </div>
  );
}
