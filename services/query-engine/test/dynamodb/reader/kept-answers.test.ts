import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { createAnswersRoom, keptAnswers } from '../../../src/dynamodb/reader/kept-answers.ts';

describe('answers that are kept', () => {
  const scan = (): ScanCommand => new ScanCommand({ TableName: 't' });
  const body = (text: string): Buffer => Buffer.from(text);

  it('are given out once they are rewound, by request and schema, each as often as it came', () => {
    const kept = keptAnswers(100, createAnswersRoom(100, 100), 'ada');
    kept.keep('a', scan(), body('one'));
    expect(kept.take('a', scan())).to.equal(null);
    kept.keep('a', scan(), body('two'));
    kept.rewind();
    expect(kept.take('b', scan())).to.equal(null);
    expect(kept.take('a', new GetItemCommand({ TableName: 't', Key: {} }))).to.equal(null);
    expect(['one', 'two', null]).to.deep.equal(
      [1, 2, 3].map(() => kept.take('a', scan())?.toString() ?? null),
    );
    // Asked for again, since there was none.
    kept.keep('a', scan(), body('three'));
    kept.rewind();
    expect([1, 2, 3].map(() => String(kept.take('a', scan())))).to.deep.equal(['one', 'two', 'three']);
  });

  it('are all there or none, and hold so many bytes', () => {
    const kept = keptAnswers(5, createAnswersRoom(100, 100), 'ada');
    kept.keep('a', scan(), body('four'));
    expect([kept.isWhole, kept.bytes]).to.deep.equal([true, 4]);
    kept.keep('a', scan(), body('five'));
    expect([kept.isWhole, kept.bytes]).to.deep.equal([false, 8]);
    kept.rewind();
    expect(kept.take('a', scan())).to.equal(null);
  });

  it('share what room there is, by tenant, and give it back', () => {
    const room = createAnswersRoom(10, 6);
    const of = (tenantId: string) => keptAnswers(100, room, tenantId);
    const [first, second, other, third] = [of('ada'), of('ada'), of('bob'), of('ada')];
    first.keep('a', scan(), body('four'));
    second.keep('a', scan(), body('four'));
    other.keep('a', scan(), body('four'));
    expect([first, second, other].map(({ isWhole }) => isWhole)).to.deep.equal([true, false, true]);
    first.drop();
    first.drop();
    // What comes late takes no room.
    first.keep('a', scan(), body('four'));
    third.keep('a', scan(), body('longer'));
    expect(third.isWhole).to.equal(true);
  });
});
