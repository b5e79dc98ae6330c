import { serveTasks } from '../../../platform/bounded-thread-tasks.ts';
import { checkSignedChecklist, readSignedChecklist } from '../checklist-reading.ts';
import { childMemory, judgeChild } from './child-judgement.ts';
import { checkArrived, readGivenIntroduction, readProvisioning, readPublication } from './child-queries.ts';
import { type ChildTask, everyFile } from './child-task.ts';

// Reads untrusted signed input: introductions and messages of members' own authorities, what these publish, and checklists.
const memory = childMemory();

serveTasks<ChildTask>((task, need) => {
  switch (task.kind) {
    case 'message':
      return checkArrived(task);
    case 'provisioning':
      return readProvisioning(task.content);
    case 'publication':
      return readPublication(task.content, task.base);
    case 'judgement':
      return judgeChild(task.child, task, { memory, supply: { listFiles: () => need(everyFile), bytesOf: need } });
    case 'introduction':
      return readGivenIntroduction(task);
    case 'checklist':
      return readSignedChecklist(task.bytes);
    case 'checklist-by':
      return checkSignedChecklist(task);
  }
});
