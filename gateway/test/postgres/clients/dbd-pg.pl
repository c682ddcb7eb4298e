# DBD::Pg with its defaults: what it asks of types and tables, statements that it prepares, errors.
use strict;
use warnings;
use DBI;
use DBD::Pg;

$| = 1;
my $dbh = DBI->connect("dbi:Pg:", $ENV{PGUSER}, $ENV{PGPASSWORD}, { RaiseError => 1, PrintError => 0, AutoCommit => 1 });

sub check {
  my ($name, $work, $expected) = @_;
  my $got = eval { $work->() };
  return print "FAILED $name: " . join(' ', split(/\s+/, $@)) . "\n" if $@;
  $got = defined $got ? "$got" : 'undef';
  print $got eq $expected ? "ok $name\n" : "FAILED $name: expected $expected, got $got\n";
}

check('a row', sub { join ',', $dbh->selectrow_array("SELECT id, amount FROM shop.things WHERE id = ?", undef, 'full') }, 'full,7');
check('a number', sub { $dbh->selectrow_array("SELECT reading FROM shop.events WHERE device = ? AND tick = ?", undef, 'd1', 6) }, '6.06');
check('rows of a statement that is prepared', sub {
  my $sth = $dbh->prepare("SELECT tick FROM shop.events WHERE device = ? AND tick < 20 ORDER BY tick");
  $sth->execute('d0');
  return join ',', map { $_->[0] } @{ $sth->fetchall_arrayref };
}, '0,5,10,15');
check('types of columns', sub {
  my $sth = $dbh->prepare("SELECT id, amount, paid FROM shop.things LIMIT 1");
  $sth->execute;
  return join ',', @{ $sth->{pg_type} };
}, 'text,numeric,bool');
check('tables', sub { join ',', sort map { s/"//gr } grep { /^"?shop/ } $dbh->tables(undef, 'shop', '%', 'TABLE') }, 'shop.events,shop.things');
check('columns', sub { scalar @{ $dbh->column_info(undef, 'shop', 'events', '%')->fetchall_arrayref } }, '4');
check('keys', sub { join ',', $dbh->primary_key(undef, 'shop', 'events') }, 'device,tick');
check('an array', sub { join ',', @{ ($dbh->selectrow_array("SELECT array_agg(id ORDER BY id) FROM shop.things WHERE id IN ('full', 'empty')"))[0] } }, 'empty,full');
check('an error in a transaction', sub {
  $dbh->begin_work;
  eval { $dbh->do("SELECT nothing FROM shop.things") };
  my $state = $dbh->state;
  $dbh->rollback;
  return $state . $dbh->ping;
}, '427031');
check('quoting', sub { $dbh->selectrow_array("SELECT count(*) FROM shop.things WHERE id = " . $dbh->quote("it's")) }, '0');
$dbh->disconnect;
print "done\n";
