# ActiveRecord with its defaults: types that it loads, models of what the catalogs say, conditions, batches, errors.
require 'active_record'

ActiveRecord::Base.establish_connection(adapter: 'postgresql', schema_search_path: 'shop')

def check(name, expected)
  got = yield
  puts got == expected ? "ok #{name}" : "FAILED #{name}: expected #{expected.inspect}, got #{got.inspect}"
rescue StandardError => e
  puts "FAILED #{name}: #{e.class} #{e.message.split.join(' ')}"
ensure
  $stdout.flush
end

class Thing < ActiveRecord::Base; end

class Event < ActiveRecord::Base
  self.primary_key = nil
end

check('tables', %w[events things]) { ActiveRecord::Base.connection.tables.sort }
check('columns and their types', { 'address' => :jsonb, 'amount' => :decimal, 'paid' => :boolean, 'raw' => :binary }) do
  Thing.columns_hash.slice('address', 'amount', 'paid', 'raw').transform_values(&:type)
end
check('a primary key', 'id') { Thing.primary_key }
check('a composite primary key', %w[device tick]) { ActiveRecord::Base.connection.primary_keys('events') }
check('indexes', true) { ActiveRecord::Base.connection.indexes('events').is_a?(Array) }
check('find', [BigDecimal('7'), true, { 'zip' => '1000', 'floor' => 3 }]) { Thing.find('full').then { |t| [t.amount, t.paid, t.address] } }
check('bytes', "\x00\x01\x7F\x80\xFF".b) { Thing.find('full').raw.b }
check('no such record', 'none') do
  Thing.find('none')
rescue ActiveRecord::RecordNotFound
  'none'
end
check('where with a range', [1, 6, 11]) { Event.where(device: 'd1', tick: 0..11).order(:tick).pluck(:tick).map(&:to_i) }
check('where with a list', 1000) { Event.where(device: %w[d1 d2]).count }
check('where with a text', 2) { Thing.where('name LIKE ? OR name = ?', 'Grü%', '').count }
check('groups', { 'high' => 1250, 'low' => 1250 }) { Event.group(:level).count }
check('sum, minimum and maximum', [3_123_750, 0, 2499]) { [Event.sum(:tick).to_i, Event.minimum(:tick).to_i, Event.maximum(:tick).to_i] }
check('limit and offset', [10, 15]) { Event.where(device: 'd0').order(:tick).limit(2).offset(2).pluck(:tick).map(&:to_i) }
check('exists', [true, false]) { [Thing.exists?('full'), Thing.where(id: 'none').exists?] }
check('batches', 12) { Thing.find_each(batch_size: 5).count }
check('a join', 500) { Event.joins("JOIN things t ON t.id = 'full'").where(device: 'd3').count }
check('pluck of what is computed', [['d1', 500]]) { Event.where(device: 'd1').group(:device).pluck(:device, Arel.sql('count(*)')) }
check('first and last', %w[empty nulls]) { [Thing.order(:id).first.id, Thing.order(:id).last.id] }
check('a transaction with an error', 12) do
  begin
    Thing.transaction { Thing.select('nothing').to_a }
  rescue ActiveRecord::StatementInvalid
    nil
  end
  Thing.count
end
check('a write', '25006') do
  Thing.find('full').update!(name: 'x')
rescue ActiveRecord::StatementInvalid => e
  e.cause.result.error_field(PG::Result::PG_DIAG_SQLSTATE)
end
check('explain', true) { Thing.where(id: 'full').explain.include?('things') }
puts 'done'
