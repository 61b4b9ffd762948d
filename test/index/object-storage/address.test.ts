/** Where the objects of a bucket are. */
import { describe, expect, it } from 'vitest';
import { bucketUrl, parseBucketAddress } from '../../../src/index/object-storage/address.ts';

describe('the address of a bucket', () => {
  it.each([
    ['', 'eu-west-3', true, 'https://s3.eu-west-3.amazonaws.com/papers'],
    ['', 'eu-west-3', false, 'https://papers.s3.eu-west-3.amazonaws.com/'],
    ['', 'cn-north-1', true, 'https://s3.cn-north-1.amazonaws.com.cn/papers'],
    ['http://storage.example:9000', 'any', true, 'http://storage.example:9000/papers'],
    ['http://storage.example:9000/', 'any', false, 'http://papers.storage.example:9000/'],
  ])('endpoint "%s", region %s, in the path: %s', (endpoint, region, isInPath, expected) => {
    expect(bucketUrl('papers', { endpoint, region, isInPath }).href).toBe(expected);
  });

  it.each([
    ['s3://papers', '', 'papers'],
    ['s3://papers/', '', 'papers'],
    ['s3://my.papers-2/a/b_c', 'a/b_c/', 'my.papers-2'],
    ['s3://papers/index/', 'index/', 'papers'],
  ])('%s has the prefix "%s"', (text, prefix, bucket) => {
    expect(parseBucketAddress(text)).toEqual({ bucket, prefix });
  });
});
